import { LRUCache } from 'lru-cache'
import { CID } from 'multiformats/cid'
import { codes } from './digest.ts'
import { ContentMismatchError, ContentMissingError } from './gatewayError.ts'
import { type Directory, type LoadBlock, readCar, readDirectory, readFile } from './unixFs.ts'
import { verifyFile } from './verifyFile.ts'

/** Gets a CID's blocks from one gateway: all blocks of a file, or those of a directory's entries. */
export type FetchCar = (cid: string, maxBytes: number) => Promise<Uint8Array | undefined>

export type VerifierInput = {
  gateway: string
  cid: string
  /** '' or starting with the slash, percent-encoded. */
  path: string
  maxBytes: number
  /** Gets the content as a whole, without its blocks. */
  fetchFile(): Promise<Buffer>
  fetchCar: FetchCar
}

export type Verified = { body: Buffer; verified: boolean }

export type Verifier = {
  /** Throws ContentMismatchError if the bytes are certainly wrong, ContentMissingError if the directory has no such entry. */
  fetch(input: VerifierInput): Promise<Verified>
}

/** A directory of about 100,000 entries; larger ones are not checked. */
const maxDirectoryBytes = 8_388_608
/** Most cached directory entries, a few hundred bytes each. */
const maxEntries = 200_000
/** A directory whose blocks no gateway returned is not requested again for this time, in milliseconds. */
const unknownMs = 600_000

/**
 * Validates responses of gateways against the requested CID. A file is hashed in the usual layouts; if none matches, its blocks are requested. A path
 * is followed through the blocks of its directories, which are requested once and cached, as ten thousand tokens may share one. Content that cannot
 * be checked is returned as not verified.
 */
export function createVerifier(): Verifier {
  const directories = new LRUCache<string, Directory>({ max: 1_000, maxSize: maxEntries, sizeCalculation: sizeOf })
  const unknown = new LRUCache<string, true>({ max: 10_000, ttl: unknownMs })
  const running = new Map<string, Promise<Directory | undefined>>()

  async function readBlocks(cid: CID, fetchCar: FetchCar): Promise<Directory | undefined> {
    const text = cid.toString()
    if (unknown.has(text)) return undefined
    const load = await loadCar(text, fetchCar, maxDirectoryBytes)
    const directory = load && readDirectory(cid, load)
    if (directory && directory.size < maxEntries) directories.set(text, directory)
    else unknown.set(text, true)
    return directory
  }

  function directoryOf(cid: CID, fetchCar: FetchCar): Promise<Directory | undefined> {
    const text = cid.toString()
    const known = directories.get(text)
    if (known || cid.code !== codes.dagPb) return Promise.resolve(known)
    const underWay = running.get(text)
    // If reading fails, maybe because its caller aborted, this caller reads again.
    if (underWay) return underWay.catch(() => directoryOf(cid, fetchCar))
    const found = readBlocks(cid, fetchCar).finally(() => running.delete(text))
    running.set(text, found)
    return found
  }

  /** The CID at the end of a path; undefined if a directory on the path cannot be checked. */
  async function leafOf({ cid, path, fetchCar }: VerifierInput): Promise<CID | undefined> {
    const names = namesOf(path)
    let current = parseCid(cid)
    for (const name of names ?? []) {
      const directory = current && (await directoryOf(current, fetchCar))
      if (!directory || !current) return undefined
      const entry = directory.get(name)
      if (entry === undefined) throw new ContentMissingError({ cid: current.toString(), name })
      current = parseCid(entry)
    }
    return names ? current : undefined
  }

  return {
    async fetch(input) {
      const { gateway, maxBytes, fetchFile, fetchCar } = input
      // Both at once: the content is the same whatever the directory says, which is usually cached.
      const [leafResult, fileResult] = await Promise.allSettled([leafOf(input), fetchFile()])
      if (leafResult.status === 'rejected') throw leafResult.reason
      if (fileResult.status === 'rejected') throw fileResult.reason
      const leaf = leafResult.value
      const body = fileResult.value
      if (!leaf) return { body, verified: false }
      const verdict = verifyFile(leaf, body)
      if (verdict === 'mismatch') throw new ContentMismatchError({ gateway, cid: leaf.toString() })
      if (verdict === 'match' || leaf.code !== codes.dagPb) return { body, verified: verdict === 'match' }
      const load = await loadCar(leaf.toString(), fetchCar, maxBytes + maxBytes / 8 + 65_536)
      const file = load && readFile(leaf, load, maxBytes)
      return file ? { body: file, verified: true } : { body, verified: false }
    },
  }
}

async function loadCar(cid: string, fetchCar: FetchCar, maxBytes: number): Promise<LoadBlock | undefined> {
  const bytes = await fetchCar(cid, maxBytes)
  return bytes && readCar(bytes)
}

function sizeOf(directory: Directory): number {
  return Math.max(1, directory.size)
}

function parseCid(text: string): CID | undefined {
  try {
    return CID.parse(text)
  } catch {
    // multiformats throws plain errors for invalid CIDs; then nothing can be checked.
    return undefined
  }
}

/** Names on the path; undefined for a path that gateways interpret differently. */
function namesOf(path: string): string[] | undefined {
  const plain = path.split('?')[0] ?? ''
  if (plain === '') return []
  const parts = plain.slice(1).split('/')
  if (!plain.startsWith('/') || parts.includes('')) return undefined
  try {
    return parts.map(decodeURIComponent)
  } catch {
    // A percent sign that encodes nothing.
    return undefined
  }
}
