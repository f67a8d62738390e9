import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'

/**
 * The user as which PostgreSQL runs. PostgreSQL refuses to run as root, so root starts it as another user (`other`), or in a user namespace in which
 * root has another id (`unshare --map-user`).
 */
export type ServerUser =
  | { kind: 'self' }
  | { kind: 'other'; name: string; uid: number; gid: number }
  | { kind: 'namespace'; uid: number; gid: number }

/** One line of /etc/passwd. */
type Account = { name: string; uid: number; gid: number }

export type ServerUserOptions = {
  /** User id of this process. */
  uid: number
  /** The owner of the database, who keeps it; undefined if there is none yet. */
  owner: { uid: number; gid: number } | undefined
}

/**
 * The users to try, best first; empty if no user could run PostgreSQL. Only trying shows whether one can, since containers disable setuid, user
 * namespaces or both.
 */
export async function serverUsers({ uid, owner }: ServerUserOptions): Promise<ServerUser[]> {
  const accounts = await readAccounts()
  const mapped = accounts.find((a) => a.name === 'nobody') ?? accounts.find((a) => a.uid > 0)
  // initdb requires its user to have a name, so a container's `--user 12345` needs the namespace as well.
  const namespace: ServerUser[] =
    process.platform === 'linux' && mapped ? [{ kind: 'namespace', uid: mapped.uid, gid: mapped.gid }] : []
  if (uid !== 0) {
    if (owner && owner.uid !== uid) return []
    return hasName() ? [{ kind: 'self' }] : [...namespace, { kind: 'self' }]
  }
  // Without /proc there is no way into closed folders, so root cannot run PostgreSQL as another user.
  if (process.platform !== 'linux') return []
  if (owner) return owner.uid === 0 ? namespace : [{ kind: 'other', name: nameOf(owner.uid, accounts), ...owner }]
  const others = ['postgres', 'nobody']
    .flatMap((name) => accounts.find((a) => a.name === name && a.uid > 0) ?? [])
    .map((account): ServerUser => ({ kind: 'other', ...account }))
  return [...others, ...namespace]
}

export function describeServerUser(user: ServerUser): string {
  if (user.kind === 'self') return 'as the user of this process'
  return user.kind === 'other' ? `as the user ${user.name}` : 'in a user namespace (unshare --map-user)'
}

function nameOf(uid: number, accounts: Account[]): string {
  return accounts.find((a) => a.uid === uid)?.name ?? String(uid)
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SYSTEM_ERROR') return false
    throw error
  }
}

async function readAccounts(): Promise<Account[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}
