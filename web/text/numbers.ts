const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** 1234567 as 1,234,567; digits of any length stay exact. */
export function formatNumber(value: number | bigint | string): string {
  return whole.format(typeof value === 'string' ? BigInt(value) : value)
}

/** Converts smallest units to whole ones: 1234500 with 4 decimals as 123.45. Exact, without trailing zeros. */
export function formatUnits(digits: string, decimals: number): string {
  const padded = digits.padStart(decimals + 1, '0')
  const fraction = padded.slice(padded.length - decimals).replace(/0+$/, '')
  const integer = formatNumber(padded.slice(0, padded.length - decimals))
  return decimals === 0 || fraction === '' ? integer : `${integer}.${fraction}`
}

/** 1 as 1 record, 2 as 2 records. `one`: a noun whose plural adds s. */
export function formatCount(count: number, one: string): string {
  return `${formatNumber(count)} ${one}${count === 1 ? '' : 's'}`
}

/** 1234567 as 1.2M. */
export function formatShort(value: number): string {
  return compact.format(value)
}

/** A share from 0 to 1 as 12.3 %. Only 0 is 0 %, and only 1 is 100 %. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return '< 0.1 %'
  const percent = Math.max(0, Math.min(100, share * 100))
  return `${percent < 100 ? Math.floor(percent * 10) / 10 : 100} %`
}

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** 52428800 as 52.4 MB. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1_000
    unit++
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${byteUnits[unit]}`
}

/** The block from 0 to `to` that is nearest to a typed number, such as `1e3` or `-5`; null: not a number. */
export function nearestBlock(typed: string, to: number): string | null {
  const number = Number(typed)
  return typed.trim() === '' || Number.isNaN(number) ? null : String(Math.max(0, Math.min(Math.trunc(number), to)))
}
