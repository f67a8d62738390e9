import type { View } from '../context/view.ts'

/** All views, in the order of the navigation: one line each, so that they can be added side by side. */
export const views: readonly View[] = [
  {
    path: '/',
    title: 'Overview',
    needs: 'read',
    inNavigation: true,
    load: async () => (await import('./overview/Overview.tsx')).Overview,
  },
  {
    path: '/keys',
    title: 'Keys',
    needs: 'admin',
    inNavigation: true,
    load: async () => (await import('./keys/Keys.tsx')).Keys,
  },
]
