import { CONTROL_FUNCTIONS } from './control-functions.ts'
import type { KnownFunction } from './known-function.ts'
import { PROTOCOL_FUNCTIONS } from './protocol-functions.ts'
import { TOKEN_FUNCTIONS } from './token-functions.ts'

/**
 * Functions known for what they do with tokens and rights. The selectors are computed from the signatures; nobody types them. Rules of
 * `holdfast/call-rule/v2` and the words approvers sign are read by this table, so whoever adds a row to it in a later release gives rules a form of their own
 * that count by it.
 */
export const KNOWN_FUNCTIONS: readonly KnownFunction[] = [...TOKEN_FUNCTIONS, ...PROTOCOL_FUNCTIONS, ...CONTROL_FUNCTIONS]
