import { CID } from 'multiformats/cid'
import { expect, test } from 'vitest'
import { verifyFile } from './verifyFile.ts'

function bodyOf(length: number): Buffer {
  const body = Buffer.alloc(length)
  for (let i = 0; i < length; i++) body[i] = (i * 31 + (i >> 8)) & 255
  return body
}

/** CIDs of `bodyOf`, created with ipfs-unixfs-importer 17: version, leaves and chunk size vary. */
const made: [number, string, string][] = [
  [0, 'raw', 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
  [0, 'v0', 'QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH'],
  [1, 'v0', 'QmS9JArPwa55ePgDnyg6TzX24mYTS1b1vLqWNebyVotKxQ'],
  [1, 'v0, raw in a node', 'QmUvjkbSRtYbxdeoMr2G779nRZS47x2E6aKmovt6m3Qkwt'],
  [1, 'raw', 'bafkreidogqfzz75tpkmjzjke425xqcrmpcib2p5tg44hnbirumdbpl5adu'],
  [5_000, 'v0', 'QmYYEiXBRXTq4S8m5yFogEnk1k4rmHiHsgs1j9MWZeEHN6'],
  [5_000, 'v1, wrapped', 'bafybeiexrs2427vgxlwmvvvu47fvmgvg3r5k35vkewohry776d22kehvt4'],
  [262_144, 'v0', 'QmRGtaHK8V8JK23yDT1tfoh2eRY9U5ix6zbiNHc9732JMo'],
  [262_144, 'raw', 'bafkreicyf2rsjlabvogs5vfihpzfegm2q5hjwrohaneftr2crm6gsnlznm'],
  [262_145, 'v0', 'QmcVbM5cMCqC9pvnGvnPMHThnJdMeqJ4oVsqRSqWkdHXky'],
  [262_145, 'v0, raw leaves', 'QmVEazEjZcpYsvBKVkEqterxbYvVKJQgQ8o7SgcyPBvNjx'],
  [262_145, 'v1', 'bafybeidgoqoyg4yhalu6oks2gnsjbs74tnoepwkl77plj4i4rd6lhvt424'],
  [262_145, 'v1, wrapped', 'bafybeicqdmqbvdiyrroivjpehsykwvyg5piotvkst4gnkh2cwa3twmhmpi'],
  [262_145, 'raw', 'bafkreihlszucy5sjyl7dernobj3h6p4wi4lilrjeumh5nuz4cqfcujebra'],
  [600_000, 'v0, leaves of the raw type', 'QmTaeaTFyptEBZJ7gQE3jDhthHQnoXkVdmEuxRGMgSzd5f'],
  [1_048_577, 'v0', 'QmW6JCqFSg4NJamNMsp5pexgutwJYvaSPnX4ByyUrPcytP'],
  [1_048_577, 'v1, 1 MB', 'bafybeiejkouhdadwq6odmdgica7fdicfqhfogaijsax5tnxp3yg56layvy'],
  [3_000_000, 'v0', 'Qmds6Haw4DkFYdaVPKcfhQ1GELeYMjCtqtHMw7BwLpFNic'],
  [3_000_000, 'v1', 'bafybeiav36oj5ktpyj5rsilfqf6f2lvwoawwn3yvmbj3igm2y4qzc3wqai'],
  [3_000_000, 'v1, 1 MB', 'bafybeiho6mvdha6vkycks756o2hmbbkkcrfrs6cyznvbtnd56m5ynnv6p4'],
]

test.each(made)('default: %d bytes (%s) match the CID %s', (length, _, cid) => {
  expect(verifyFile(CID.parse(cid), bodyOf(length))).toBe('match')
})

test.each(made.filter(([length]) => length > 0))(
  'error: %d bytes (%s) with one changed byte do not match',
  (length, _, cid) => {
    const body = bodyOf(length)
    body[length - 1]! ^= 1
    const parsed = CID.parse(cid)
    expect(verifyFile(parsed, body)).toBe(parsed.code === 0x55 ? 'mismatch' : 'unknown')
    expect(verifyFile(parsed, body.subarray(0, length - 1))).not.toBe('match')
  },
)

test('default: verifies the hello world example of the IPFS guides', () => {
  const body = Buffer.from('hello world\n')
  expect(verifyFile(CID.parse('QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o'), body)).toBe('match')
})

test('behavior: other hash functions and formats are reported as unknown', () => {
  const body = Buffer.from('hello')
  // blake2b-256 of some data, and dag-cbor.
  expect(verifyFile(CID.parse('bafk2bzaceaawlhkl5dq5uikpwwp4nprlmjykp5hkzrcz6jvlm6tqmqbqjqvkq'), body)).toBe('unknown')
  expect(verifyFile(CID.parse('bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua'), body)).toBe('unknown')
})
