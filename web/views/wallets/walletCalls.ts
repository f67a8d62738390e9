import { post, remove } from '../../api/apiCall.ts'

/** A wallet that is indexed over all contracts of its chain. */
export type IndexedWallet = { chain: string; address: string }

export const indexCall = (wallet: IndexedWallet) =>
  post('/admin/wallets/{chain}/{address}/index', { path: wallet }, undefined)

export const removeCall = (wallet: IndexedWallet) => remove('/admin/wallets/{chain}/{address}', { path: wallet })

/** What a dialog about a wallet is given. `done` is called once the server did it. */
export type WalletDialogProps = { wallet: IndexedWallet; close(): void; done(): void }
