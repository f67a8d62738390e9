import { Pool } from 'undici'
import { answer, childInput } from './child.ts'

/** The peer sends bare posts of the same body by undici's Pool. It does not sign or store them. */
const { origin, body, connections } = childInput<{ origin: string; body: string; connections: number }>()
const pool = new Pool(origin, { connections, pipelining: 1 })

process.on('message', async ({ posts }: { posts: number }) => {
  let remaining = posts
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (remaining-- > 0) {
        const { body: answered } = await pool.request({
          method: 'POST',
          path: '/',
          headers: { 'content-type': 'application/json' },
          body,
        })
        await answered.dump()
      }
    }),
  )
  answer({ perSecond: posts / ((performance.now() - startedAt) / 1_000) })
})
answer({ ready: true })
