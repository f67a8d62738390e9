import type { components } from '../../api/apiCall.ts'
import { Ago } from '../../parts/Ago.tsx'
import { formatCount } from '../../text/numbers.ts'
import { formatMs } from './formatMs.ts'
import { Status } from './Status.tsx'

type Attempt = Pick<
  components['schemas']['DeliveryLog'],
  'deliveryStatus' | 'statusCode' | 'latencyMs' | 'response' | 'errorMessage' | 'createdAt' | 'webhookUrl'
>

/** One attempt: its URL, time and the receiver's response, as plain text. */
export function Answer({ of, retries }: { of: Attempt; retries?: number }) {
  const { deliveryStatus, statusCode, latencyMs, response, errorMessage, createdAt, webhookUrl } = of
  return (
    <div class="answer">
      <p>
        <Status of={deliveryStatus} /> {statusCode === null ? 'no response' : `HTTP ${statusCode}`} after{' '}
        {formatMs(latencyMs)}, <Ago at={createdAt} />
      </p>
      <p class="hint">
        POST <bdi>{webhookUrl}</bdi>
        {Boolean(retries) && `, after ${formatCount(retries!, 'failed attempt')}`}
      </p>
      {errorMessage && (
        <p class="hint">
          <bdi>{errorMessage}</bdi>
        </p>
      )}
      {response !== '' && (
        <code class="line">
          <bdi>{response}</bdi>
        </code>
      )}
    </div>
  )
}
