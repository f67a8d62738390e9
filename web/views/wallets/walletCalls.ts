import { post, remove } from '../../api/apiCall.ts'

/** A wallet that is indexed over all contracts of its chain. */
export type IndexedWallet = { chain: string; address: string }

export const indexCall = (wallet: IndexedWallet) =>
  post('/admin/wallets/{chain}/{address}/index', { path: wallet }, undefined)

export const removeCall = (wallet: IndexedWallet) => remove('/admin/wallets/{chain}/{address}', { path: wallet })

/** Props of a wallet dialog. `done` is called after the server's success. */
export type WalletDialogProps = { wallet: IndexedWallet; close(): void; done(): void }
