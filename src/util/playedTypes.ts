/** The video, audio and animation formats that browsers play: the extension of a stored file, and the type with which it is served. */
export const playedTypes = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  gif: 'image/gif',
  webp: 'image/webp',
  png: 'image/apng',
} as const

export type PlayedEnding = keyof typeof playedTypes

export const playedEndings = Object.keys(playedTypes) as PlayedEnding[]

/** Other names of these types, used by format detection. */
const alike: Readonly<Record<string, string>> = { 'video/x-m4v': 'video/mp4', 'audio/x-m4a': 'audio/mp4' }

/** The file extension for a type detected from the content; undefined: browsers do not play it. */
export function playedEnding(mimetype: string): PlayedEnding | undefined {
  const type = mimetype.split(';')[0]!
  return playedEndings.find((ending) => playedTypes[ending] === (alike[type] ?? type))
}
