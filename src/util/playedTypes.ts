/** The films, sounds and animations that browsers play: the ending of a kept file, and the type that it is served as. */
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

/** Other names of these types, by which files are recognised. */
const alike: Readonly<Record<string, string>> = { 'video/x-m4v': 'video/mp4', 'audio/x-m4a': 'audio/mp4' }

/** The ending of a file of a type that was recognised by its content; undefined: browsers do not play it. */
export function playedEnding(mimetype: string): PlayedEnding | undefined {
  const type = mimetype.split(';')[0]!
  return playedEndings.find((ending) => playedTypes[ending] === (alike[type] ?? type))
}
