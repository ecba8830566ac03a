import type { KeyObject } from 'node:crypto'
import { sealSegments } from './segments.ts'

/** The body of a callback: whose it is, and what it says, in segments of the platform. */
export const callbackForm = (appId: string, said: Readonly<Record<string, unknown>>, key: KeyObject): string =>
  new URLSearchParams({ app_id: appId, data: sealSegments(JSON.stringify(said), key) }).toString()

/** Whether a callback was taken: whoever answers anything but this word is called again. */
export const isTaken = (answer: string): boolean => answer.trim() === 'SUCCESS'
