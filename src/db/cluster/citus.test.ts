import { expect, test } from 'vitest'
import type { Sql } from '../database.ts'
import { rejectLanguages, rejectWorker } from './citus.ts'

/** A database that answers statements by a word in their text. */
function answering(answers: Record<string, unknown[][]>): Sql {
  const rows = async (text: string) => Object.entries(answers).find(([word]) => text.includes(word))?.[1] ?? []
  return { rows, run: async () => 0 } as Sql
}

const languages = (...of: string[]) =>
  answering({ pg_extension: [[true]], lc_messages: of.map((language, i) => [`10.0.0.${i}:5432`, language]) })

test('error: rejects cluster nodes whose messages are not in English, and lists each of them', async () => {
  for (const language of ['C', 'C.UTF-8', 'POSIX', 'en_US.UTF-8', 'en', 'English_United States.1252', ''])
    await rejectLanguages(languages(language))
  await expect(rejectLanguages(languages('C', 'de_DE.UTF-8', 'es_ES'))).rejects.toThrow(
    "10.0.0.1:5432 has lc_messages = de_DE.UTF-8, 10.0.0.2:5432 has lc_messages = es_ES, but Mintmark recognizes errors of cluster nodes by their English messages: on these nodes, as a superuser, run ALTER SYSTEM SET lc_messages = 'C'; SELECT pg_reload_conf()",
  )
  await rejectLanguages(answering({ pg_extension: [[false]], lc_messages: [['one', 'de_DE']] }))
})

test('error: rejects a worker of a cluster, and accepts a coordinator and a single server', async () => {
  const group = (id: number) => answering({ pg_extension: [[true]], pg_dist_local_group: [[id]] })
  await rejectWorker(group(0))
  await rejectWorker(answering({ pg_extension: [[false]] }))
  await expect(rejectWorker(group(2))).rejects.toMatchObject({ code: 'WORKER_ADDRESS' })
})
