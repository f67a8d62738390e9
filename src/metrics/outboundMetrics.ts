import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { longDurationBuckets } from './requestMetrics.ts'

/** Figures of outbound requests to untrusted addresses, and to gateways of IPFS and Arweave. */
export function createOutboundMetrics({ registers }: { registers: Registry[] }) {
  return {
    outboundRequests: new Counter({
      registers,
      name: 'mintmark_outbound_requests_total',
      help: 'Requests to untrusted URLs, by method and outcome (ok, status, timeout, blocked …).',
      labelNames: ['method', 'outcome'] as const,
    }),
    outboundSeconds: new Histogram({
      registers,
      name: 'mintmark_outbound_seconds',
      help: 'Duration of one request to an untrusted URL, redirects and waiting for its host included.',
      labelNames: ['method'] as const,
      buckets: longDurationBuckets,
    }),
    outboundBytes: new Counter({
      registers,
      name: 'mintmark_outbound_bytes_total',
      help: 'Bytes of bodies received from such URLs, as sent over the network.',
    }),
    outboundInFlight: new Gauge({
      registers,
      name: 'mintmark_outbound_in_flight',
      help: 'Requests in flight to such URLs.',
      labelNames: ['method'] as const,
    }),
    gatewayRequests: new Counter({
      registers,
      name: 'mintmark_gateway_requests_total',
      help: 'Requests to IPFS and Arweave gateways, by host and outcome.',
      labelNames: ['gateway', 'outcome'] as const,
    }),
  }
}
