import { z } from 'zod'
import { BadRequestError, TooManyRequestsError } from '../../util/errors.ts'
import { jsonAnswer } from '../http/answer.ts'
import { ForbiddenError, UnauthorizedError } from '../http/errors.ts'
import { credentialsOf, defineRoute, type Route } from '../http/route.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { SignInCodes } from '../keys/signInCodes.ts'

/** Dependencies of session routes, which `wireRoutes` provides. */
export type SessionRoutesOptions = {
  sessions: Pick<Keyring, 'beginSession' | 'endSession' | 'reject'>
  codes: SignInCodes
}

const sessionSchema = z
  .object({
    token: z.string().describe('Send it in the header X-API-Key, like a key. No other response contains it.'),
    access: z.enum(['read', 'admin']).describe('read: the session may read data; admin: it may do everything.'),
  })
  .meta({
    id: 'Session',
    description:
      'A browser stores it in place of a key. It ends on sign-out, when its key is revoked, after 12 hours without a request, and after 30 days.',
  })

/** Sessions of the console: a browser need not store a key on disk. */
export function sessionRoutes({ sessions, codes }: SessionRoutesOptions): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/session',
      operationId: 'beginSession',
      summary: 'Sign in with a key',
      description:
        'Starts a session that may do what the key of this request may do. A session cannot start another one: 403.',
      tag: 'Console',
      access: 'read',
      ok: { description: 'The session.', schema: sessionSchema },
      errors: [403],
      async handle({ exchange: { key } }) {
        if (!key || key.isSession)
          throw new ForbiddenError(
            'a session cannot start another session; allowed: an API key in the header X-API-Key',
          )
        return jsonAnswer(200, { token: await sessions.beginSession(key.id), access: key.access })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/session/code',
      operationId: 'redeemCode',
      summary: 'Sign in with the code of a link',
      description:
        "Starts a session of the configuration's key for the code in a link that a command printed. A code works once, within a minute, at the process that printed it.",
      tag: 'Console',
      access: 'none',
      body: {
        // The route needs no key.
        maxBytes: 1_024,
        schema: z.object({ code: z.string().max(200).describe('The code: the part of the link after `#code=`.') }),
      },
      ok: { description: 'The session.', schema: sessionSchema },
      errors: [401, 429],
      async handle({ body: { code }, exchange }) {
        const token = await codes.redeem(code, () => sessions.beginSession(0n))
        if (token !== undefined) return privately({ token, access: 'admin' })
        const retryAfterSeconds = sessions.reject(exchange.address)
        if (retryAfterSeconds === undefined)
          throw new UnauthorizedError(
            'the code was already used, is older than a minute, or belongs to another process; sign in with an API key',
          )
        throw new TooManyRequestsError(
          `the code is unknown, and so were many others from this address; retry in ${retryAfterSeconds} s`,
          { retryAfterSeconds },
        )
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/session',
      operationId: 'endSession',
      summary: 'Sign out',
      description: 'Ends the session of this request: every server rejects its token within a second.',
      tag: 'Console',
      access: 'read',
      errors: [400],
      ok: { description: 'The session ended.', schema: z.object({ ended: z.literal(true).describe('true.') }) },
      async handle({ exchange }) {
        if (!exchange.key?.isSession)
          throw new BadRequestError('X-API-Key contains an API key; allowed: the token of the session to end')
        await sessions.endSession(credentialsOf(exchange.header))
        return jsonAnswer(200, { ended: true })
      },
    }),
  ]
}

/** The route needs no key, so the response must forbid caching itself. */
const privately = (value: object) => jsonAnswer(200, value, ['cache-control', 'no-store'])
