import { textType } from './textType.ts'

/** Markup whose first element is svg, behind whatever prolog, comments and DOCTYPE. */
export function isSvg(text: string): boolean {
  if (!text.startsWith('<')) return false
  return /^<(?:svg|\?xml)[\s>]/i.test(text) || textType(Buffer.from(text.slice(0, 65_536))) === 'image/svg+xml'
}
