import { createHash, type KeyObject } from 'node:crypto'
import { sealSegments } from './segments.ts'

/**
 * The body of a callback: whose it is, and what it says, in segments of the platform. Segments are not bound to each other, so the text ends with the digest of
 * what stands before it: whoever puts segments of two callbacks together has none whose digest is right.
 */
export const callbackForm = (appId: string, said: Readonly<Record<string, unknown>>, key: KeyObject): string => {
  const head = JSON.stringify(said).slice(0, -1)
  const digest = createHash('sha256').update(head, 'utf8').digest('hex')
  return new URLSearchParams({ app_id: appId, data: sealSegments(`${head},"digest":"${digest}"}`, key) }).toString()
}

/** Whether a callback was taken: whoever answers anything but this word is called again. */
export const isTaken = (answer: string): boolean => answer.trim() === 'SUCCESS'
