import { z } from 'zod'
import { allowing } from '../allowed.ts'

/** An address of a setting. Messages about a bad one do not repeat it, as it may hold a key. */
export const httpUrl = allowing('an http:// or https:// address', z.url({ protocol: /^https?$/ }))
