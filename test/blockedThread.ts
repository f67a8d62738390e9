import { serve } from '../src/nft/files/thread.ts'

/** Program of a thread that answers with the message, and never answers `block`. */
serve((message: string): string => {
  while (message === 'block');
  return message
})
