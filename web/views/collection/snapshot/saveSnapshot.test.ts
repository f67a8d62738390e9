import { expect, test } from 'vitest'
import { get } from '../../../api/apiCall.ts'
import { saveSnapshot } from './saveSnapshot.ts'

test('error: a file whose connection breaks is reported in the words of the console', async () => {
  const call = get('/api/v2/nft/{address}/snapshot', { path: { address: '0x1' }, query: { chain: 'eth' } })
  const cut = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('token_id,owner_of,amount\n'))
      controller.error(new TypeError('Failed to fetch'))
    },
  })
  const response = new Response(cut, { headers: { 'x-snapshot-block': '7' } })
  const options = { address: '0x1', format: 'csv', received: () => undefined }
  await expect(saveSnapshot(call, response, options)).rejects.toMatchObject({
    name: 'ApiFault',
    message: 'the server did not finish its response',
  })
})
