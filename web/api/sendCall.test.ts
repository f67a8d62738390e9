import { expect, test } from 'vitest'
import { get, post, put } from './apiCall.ts'
import { ApiFault, faultOf } from './apiFault.ts'
import { sendCall } from './sendCall.ts'

const call = get('/key', {})

async function faultFor(status: number): Promise<ApiFault> {
  const fetch = async () => Response.json({ message: 'in words' }, { status, headers: { 'x-request-id': 'a1' } })
  return sendCall(call, { key: 'k', fetch }).then(
    () => expect.unreachable(),
    (error: ApiFault) => error,
  )
}

test('default: a server error contains the request id, for a search in the log', async () => {
  const fault = await faultFor(500)
  expect(fault).toBeInstanceOf(ApiFault)
  expect(fault).toMatchObject({ message: 'in words', status: 500, requestId: 'a1' })
})

test('behavior: a request that was rejected with 400 or 503 shows no request id, as it is not logged', async () => {
  for (const status of [400, 503])
    expect(await faultFor(status)).toMatchObject({ message: 'in words', status, requestId: null })
})

test('behavior: an integer above 2^53 keeps its digits', async () => {
  const fetch = async () => new Response('{"values":[12345678901234567890,1.5,7,1e3]}')
  const data = { values: ['12345678901234567890', 1.5, 7, 1000] }
  expect(await sendCall<unknown>(call, { key: 'k', fetch })).toMatchObject({ data })
})

test('error: a failed connection is reported in the words of the console', async () => {
  const fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  await expect(sendCall(call, { key: 'k', fetch })).rejects.toMatchObject({
    message: 'the server does not respond',
    status: 0,
  })
})

test('error: after a lost response to a change, the message warns that the change may have been made', async () => {
  const reset = () => Promise.reject(new TypeError('Failed to fetch'))
  const cut = async () => new Response(cutBody('{"id":'))
  const create = put('/streams/evm', {}, {} as never)
  for (const fetch of [reset, cut])
    await expect(sendCall(create, { key: 'k', fetch })).rejects.toMatchObject({
      message: expect.stringMatching(/, but may have made the change$/),
    })
  // Requests that change nothing.
  for (const harmless of [call, post('/session', {}, undefined), post('/admin/streams/preview', {}, {} as never)])
    await expect(sendCall<unknown>(harmless, { key: 'k', fetch: reset })).rejects.toMatchObject({
      message: 'the server does not respond',
    })
})

test('error: a change that was rejected was not made, even if the text of its error breaks off', async () => {
  const fetch = async () => new Response(cutBody('{"message":'), { status: 409, statusText: 'Conflict' })
  const create = put('/streams/evm', {}, {} as never)
  await expect(sendCall(create, { key: 'k', fetch })).rejects.toMatchObject({
    message: 'the server returned 409 Conflict',
    status: 409,
  })
})

test('error: a response that breaks off or takes too long is reported in the words of the console', async () => {
  const cut = async () => new Response(cutBody('{"access":'))
  await expect(sendCall(call, { key: 'k', fetch: cut })).rejects.toMatchObject({
    message: 'the server did not finish its response',
  })
  const late = AbortSignal.timeout(1)
  await expect.poll(() => late.aborted).toBe(true)
  expect(faultOf(late.reason).message).toBe('the server did not respond in time')
})

/** The body of a response whose connection breaks after some text. */
function cutBody(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const parts = [new TextEncoder().encode(text)]
  return new ReadableStream({
    pull(controller) {
      const part = parts.shift()
      if (part) controller.enqueue(part)
      else controller.error(new TypeError('network error'))
    },
  })
}
