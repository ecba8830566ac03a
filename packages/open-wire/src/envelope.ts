/** What a call is answered with. `code` is "0" where all went well. */
export type WireEnvelope = { code: string; msg: string; data: unknown }

/** The text of an envelope, as it is put into segments. */
export const envelopeText = ({ code, msg, data }: WireEnvelope): string => JSON.stringify({ code, msg, data: data ?? null })

/** An envelope that was put into segments; undefined where the text is none. */
export function openedEnvelope(text: string): WireEnvelope | undefined {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof read !== 'object' || read === null || !('code' in read) || !('msg' in read)) return undefined
  const { code, msg } = read
  return typeof code === 'string' && typeof msg === 'string' ? { code, msg, data: 'data' in read ? read.data : null } : undefined
}
