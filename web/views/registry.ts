import type { View } from '../context/view.ts'

/** All views, in the order of the navigation. */
export const views: readonly View[] = [
  {
    path: '/',
    title: 'Overview',
    needs: 'read',
    inNavigation: true,
    load: async () => (await import('./overview/Overview.tsx')).Overview,
  },
  {
    path: '/collections',
    title: 'Collections',
    needs: 'read',
    inNavigation: true,
    load: async () => (await import('./collections/Collections.tsx')).Collections,
  },
  {
    path: '/collections/:chain/:address',
    title: 'Collection',
    needs: 'read',
    load: async () => (await import('./collection/Collection.tsx')).Collection,
  },
  {
    path: '/collections/:chain/:address/:token',
    title: 'Token',
    needs: 'read',
    load: async () => (await import('./token/Token.tsx')).Token,
  },
  {
    path: '/search',
    title: 'Search',
    needs: 'read',
    inNavigation: true,
    load: async () => (await import('./search/Search.tsx')).Search,
  },
  {
    path: '/wallets',
    title: 'Wallets',
    needs: 'read',
    inNavigation: true,
    load: async () => (await import('./wallets/Wallets.tsx')).Wallets,
  },
  {
    path: '/wallets/:chain/:address',
    title: 'Wallet',
    needs: 'read',
    load: async () => (await import('./wallets/OneWallet.tsx')).OneWallet,
  },
  {
    path: '/coins',
    title: 'Coins',
    needs: 'read',
    inNavigation: true,
    load: async () => (await import('./coins/Coins.tsx')).Coins,
  },
  {
    path: '/streams',
    title: 'Streams',
    needs: 'read',
    inNavigation: true,
    load: async () => (await import('./streams/Streams.tsx')).Streams,
  },
  {
    path: '/streams/new',
    title: 'New stream',
    needs: 'admin',
    load: async () => (await import('./streams/form/EditStream.tsx')).NewStream,
  },
  {
    path: '/streams/:id',
    title: 'Stream',
    needs: 'read',
    load: async () => (await import('./streams/OneStream.tsx')).OneStream,
  },
  {
    path: '/streams/:id/edit',
    title: 'Edit stream',
    needs: 'admin',
    load: async () => (await import('./streams/form/EditStream.tsx')).EditStream,
  },
  {
    path: '/streams/:id/webhooks/:webhook',
    title: 'Webhook',
    needs: 'admin',
    load: async () => (await import('./streams/OneWebhook.tsx')).OneWebhook,
  },
  {
    path: '/keys',
    title: 'Keys',
    needs: 'admin',
    inNavigation: true,
    load: async () => (await import('./keys/Keys.tsx')).Keys,
  },
]
