import type { CoinQuery, NetworkState } from '../../coin/query.ts'
import { NotFoundError } from '../../util/errors.ts'

/** Preview images of a URL, as JSON; null: the text is not a URL. The first request starts making them. */
export type Icons = (uri: string) => Promise<string | null>

/** The preview images of the icon of a coin. Throws NotFoundError if the coin is not known, or has none. */
export async function readIcon(
  { query, icons }: { query: CoinQuery; icons: Icons },
  state: NetworkState | undefined,
  hash: string,
): Promise<string> {
  const [coin] = state ? (JSON.parse(await query.byHash(state, [hash], 'all')) as { icon_uri: string | null }[]) : []
  if (!coin) throw new NotFoundError(`no coin has the hash ${hash} in the history read so far`)
  const icon = coin.icon_uri ? await icons(coin.icon_uri) : null
  if (icon === null) throw new NotFoundError(`the coin with hash ${hash} has no icon`)
  return icon
}
