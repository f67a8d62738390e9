import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type components, get } from '../../api/apiCall.ts'
import { usePolled } from '../../context/usePolled.ts'
import { formatBytes } from '../../text/numbers.ts'
import { formatDuration } from '../../text/times.ts'
import { webAddress } from '../../text/webAddress.ts'
import type { TokenOf } from './tokenOf.ts'

type Media = components['schemas']['Nft']['media']
type Part = components['schemas']['Media']
type Still = { children: ComponentChildren }

const nouns = { video: 'video', audio: 'audio', image: 'animation' }

function nounOf({ category, mimetype }: Part): string | undefined {
  return mimetype?.startsWith('model/') ? '3D model' : category && nouns[category]
}

/**
 * The video, audio or animation of a token. The server fetches it when the user plays it. A 3D model is only a link.
 * `children`: shown until then.
 */
export function Player({ of: media, token, children }: { of: Media; token: TokenOf } & Still) {
  const part = partOf(media)
  const noun = part && nounOf(part)
  if (!media || !part || !noun || !(isPlayed(part) || noun === '3D model')) return <>{children}</>
  const { mimetype, size, duration, original_media_url: url } = part
  const facts = [noun, mimetype, size != null && formatBytes(size), duration != null && formatDuration(duration)]
  const poster = pathOf((part.media_collection ?? media.media_collection)?.high.url)
  return (
    <>
      {isPlayed(part) ? (
        <Played key={url} noun={noun} token={token} poster={poster}>
          {children}
        </Played>
      ) : (
        children
      )}
      <p class="hint">
        {facts.filter(Boolean).join(' · ')} <Source url={url} />
      </p>
    </>
  )
}

/** The part to play: the animation, unless only the media is playable. */
function partOf(media: Media): Part | undefined {
  if (!media) return undefined
  return isPlayed(media) && !isPlayed(media.animation) ? media : (media.animation ?? media)
}

/** Whether it is playable: of images, those with a duration. */
function isPlayed(part: Part | undefined): boolean {
  const { category, duration } = part ?? {}
  return category === 'video' || category === 'audio' || (category === 'image' && duration != null)
}

function Played({
  noun,
  token,
  poster,
  children,
}: { noun: string; token: TokenOf; poster: string | undefined } & Still) {
  const [isWanted, setIsWanted] = useState(false)
  const { chain, address, token: token_id } = token
  const { data, fault } = usePolled(
    isWanted
      ? get('/api/v2/nft/{address}/{token_id}', {
          path: { address, token_id },
          query: { chain, media_items: true, include: ['media_file'] },
        })
      : null,
    { everyMs: 2_000 },
  )
  const file = data?.media?.file
  const path = pathOf(file?.url)
  if (path !== undefined)
    return (
      <Element key={path} path={path} poster={poster} noun={noun}>
        {children}
      </Element>
    )
  return (
    <>
      {children}
      {isWanted ? (
        <p role="status">{fault ? fault.message : `The ${noun} ${stateOf(file)}`}</p>
      ) : (
        <button type="button" onClick={() => setIsWanted(true)}>
          Play {noun}
        </button>
      )}
    </>
  )
}

/** Retries of a file: if the server evicted it, a request makes the server fetch it again. */
const mostTries = 5
const retryMs = 3_000

function Element({ path, poster, noun, children }: { path: string; poster: string | undefined; noun: string } & Still) {
  const [failures, setFailures] = useState(0)
  const common = { src: path, 'aria-label': noun, onError: () => setTimeout(() => setFailures(failures + 1), retryMs) }
  if (failures > mostTries)
    return (
      <>
        {children}
        <p role="status">This browser cannot play the {noun}.</p>
      </>
    )
  if (/\.(?:gif|webp|png)$/.test(path)) return <img key={failures} {...common} alt={noun} width={500} height={500} />
  if (/\.(?:mp4|mov|webm|ogv)$/.test(path))
    return <video key={failures} {...common} poster={poster} controls autoplay playsInline preload="metadata" />
  return (
    <>
      {children}
      <audio key={failures} {...common} controls autoplay preload="metadata" />
    </>
  )
}

const states: Record<string, string> = {
  processing: 'is being fetched …',
  unsupported_media: 'cannot be played.',
  invalid_url: 'has no valid URL.',
  host_unavailable: 'cannot be fetched from its host. The server retries.',
  temporarily_unavailable: 'is temporarily unavailable. The server retries.',
}

function stateOf(file: Part | undefined): string {
  return file?.reason ?? states[file?.status ?? 'processing'] ?? states.processing!
}

/** The path on this server: responses contain the public URL, which can differ from the URL of the console. */
function pathOf(url: string | undefined): string | undefined {
  return /\/media\/[0-9a-f]{64}\/[a-z]+\.[a-z0-9]+$/.exec(url ?? '')?.[0]
}

/** Untrusted text: a link only if it is a web address, and never loaded. */
function Source({ url }: { url: string }) {
  const address = webAddress(url)
  if (address === undefined) return null
  return (
    <a href={address} rel="noreferrer noopener nofollow" target="_blank">
      Source
    </a>
  )
}
