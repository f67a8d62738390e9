import { z } from 'zod'
import { allowing } from '../allowed.ts'

/** An address of a setting. What is wrong with one is told without it, as it may hold a key. */
export const httpUrl = allowing('an http:// or https:// address', z.url({ protocol: /^https?$/ }))
