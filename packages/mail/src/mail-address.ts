import { last } from '@holdfast/units'

const LENGTH_MAX = 254
const LOCAL_MAX = 64
// RFC 5321: an atom of plain characters, no quoted strings, no comments. What a mail server needs besides nobody here has.
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i
const TOP_LABEL = /^([a-z]{2,63}|xn--[a-z0-9-]{1,59})$/i

/** Whether mail can be sent to a text: one address of letters a mail server knows, at a host with a name in the DNS. Account names often only look like one. */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, labels] = [text.slice(0, at), text.slice(at + 1).split('.')]
  if (at < 1 || text.length > LENGTH_MAX || local.length > LOCAL_MAX || !LOCAL.test(local)) return false
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && TOP_LABEL.test(last(labels))
}
