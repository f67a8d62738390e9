import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Secret } from 'kubernetes-models/v1/Secret'
import { Service } from 'kubernetes-models/v1/Service'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { helmRanges } from '../../scripts/helmRanges.ts'
import { parseConfig } from '../../src/config/config.ts'
import { readVersion } from '../../src/readVersion.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

const chart = join(import.meta.dirname, '../../deploy/helm')
const read = (path: string) => readFileSync(join(chart, path), 'utf8')

test('default: values.yaml matches its schema, and the chart version is that of the program', () => {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(read('values.schema.json')))
  expect([validate(parse(read('values.yaml'))), validate.errors]).toEqual([true, null])
  expect(parse(read('Chart.yaml'))).toMatchObject({ version: readVersion(), appVersion: readVersion() })
})

test('behavior: the network policy blocks the ranges that outbound requests to untrusted addresses are rejected for', () => {
  for (const kind of ['ipv4', 'ipv6'] as const)
    expect(read(`files/notPublic${kind === 'ipv4' ? 'Ipv4' : 'Ipv6'}.txt`)).toBe(helmRanges(kind))
})

const hasHelm = spawnSync('helm', ['version', '--short']).status === 0

/** The output of a template. Its type is unknown until it is validated. */
type Unknown = ReturnType<typeof JSON.parse>
type Manifest = { kind: string; metadata: { name: string }; spec: Unknown; stringData?: Record<string, string> }

/** Kinds, with the models of the Kubernetes API that validate them. The last one belongs to the Prometheus operator. */
const models = {
  Deployment,
  StatefulSet,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
  ServiceMonitor: undefined,
}

function helm(...args: string[]) {
  return spawnSync('helm', args, { encoding: 'utf8' })
}

async function render(values: object): Promise<Manifest[]> {
  const path = join(await temporaryFolder(), 'values.json')
  writeFileSync(path, JSON.stringify(values))
  const { stdout, stderr } = helm('template', 'chain', chart, '--values', path)
  expect(stderr).toBe('')
  const manifests = parseAllDocuments(stdout).flatMap((document) => (document.toJSON() as Manifest | null) ?? [])
  for (const manifest of manifests) {
    expect(Object.keys(models)).toContain(manifest.kind)
    const Model = models[manifest.kind as keyof typeof models]
    if (Model) new Model(manifest as never).validate()
  }
  return manifests
}

const podsOf = (manifests: Manifest[]) => manifests.flatMap(({ spec }) => spec?.template?.spec ?? [])
const database = { databaseUrl: 'postgres://mintmark:secret@db.example/mintmark' }

describe.skipIf(!hasHelm)('rendered by helm', () => {
  test('default: renders one process with a volume, probes, limits and no privileges', async () => {
    const manifests = await render({
      apiKey: 'long',
      config: { chains: { eth: { rpc: ['https://node.example/key'] } } },
    })
    expect(manifests.map(({ kind }) => kind).sort()).toEqual(
      ['NetworkPolicy', 'PodDisruptionBudget', 'Secret', 'Secret', 'Service', 'StatefulSet'].sort(),
    )
    const [pod] = podsOf(manifests)
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    })
    const [container] = pod.containers
    expect(container).toMatchObject({
      image: `mintmark:${readVersion()}`,
      args: ['start', '--config', '/config/mintmark.config.json', '--data', '/data', '--role', 'all'],
      securityContext: {
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      },
      livenessProbe: { httpGet: { path: '/health' } },
      readinessProbe: { httpGet: { path: '/ready' } },
      resources: { limits: { memory: '4Gi' } },
    })
    // The pod itself contains no secret.
    expect(JSON.stringify(pod)).not.toContain('long')
    const config = manifests.find(({ metadata }) => metadata.name === 'chain-mintmark-config')!
    expect(parseConfig(JSON.parse(config.stringData!['mintmark.config.json']!)).chains.eth).toMatchObject({
      rpc: ['https://node.example/key'],
    })
  })

  test('behavior: renders each role as a separate deployment with a database', async () => {
    const values = { mode: 'roles', apiKey: 'long', ...database, serviceMonitor: { enabled: true } }
    const manifests = await render(values)
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment')
    expect(deployments.map(({ metadata }) => metadata.name)).toEqual(
      ['api', 'sync', 'deliver'].map((role) => `chain-mintmark-${role}`),
    )
    for (const { spec } of deployments) {
      const { selector, template } = spec
      expect(template.metadata.labels).toMatchObject(selector.matchLabels)
    }
    const [service] = manifests.filter(({ kind }) => kind === 'Service')
    expect(service!.spec.selector).toMatchObject({ 'app.kubernetes.io/component': 'api' })
    expect(manifests.find(({ kind }) => kind === 'ServiceMonitor')!.spec.endpoints).toMatchObject([
      { path: '/metrics', authorization: { credentials: { name: 'chain-mintmark', key: 'apiKey' } } },
    ])
  })

  test('behavior: renders an existing secret, extra network rules, a node selector and labels', async () => {
    const manifests = await render({
      ...{ existingSecret: 'mine', podLabels: { team: 'data' }, nodeSelector: { disk: 'ssd' } },
      image: { repository: 'registry.example/mintmark', digest: `sha256:${'a'.repeat(64)}` },
      networkPolicy: {
        from: [{ namespaceSelector: { matchLabels: { team: 'web' } } }],
        egress: [{ to: [{ ipBlock: { cidr: '10.0.3.7/32' } }], ports: [{ port: 5432 }] }],
      },
    })
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toHaveLength(1)
    const [pod] = podsOf(manifests)
    expect(pod).toMatchObject({ nodeSelector: { disk: 'ssd' } })
    expect(pod.containers[0].image).toBe(`registry.example/mintmark@sha256:${'a'.repeat(64)}`)
    expect(JSON.stringify(pod)).toContain('"name":"mine"')
    const { ingress, egress } = manifests.find(({ kind }) => kind === 'NetworkPolicy')!.spec
    expect(ingress[0].from).toHaveLength(1)
    expect(egress.at(-1)).toEqual({ to: [{ ipBlock: { cidr: '10.0.3.7/32' } }], ports: [{ port: 5432 }] })
  })

  test.each([
    ['no key', [], 'apiKey is empty'],
    ['roles without a database', ['--set', 'apiKey=x,mode=roles'], 'mode roles needs databaseUrl'],
    ['an unknown value', ['--set', 'apiKey=x,replica=2'], 'replica'],
    ['a wrong mode', ['--set', 'apiKey=x,mode=two'], 'mode'],
    ['a secret in the configuration', ['--set', 'apiKey=x,config.apiKey=y'], 'config'],
  ])('error: rejects %s with the reason', (_, args, reason) => {
    const { status, stderr } = helm('template', 'chain', chart, ...args)
    expect([status, stderr]).toEqual([1, expect.stringContaining(reason)])
  })

  test('behavior: helm lint finds no error in the chart', () => {
    expect(helm('lint', chart, '--strict', '--set', 'apiKey=x')).toMatchObject({ status: 0 })
  })
})
