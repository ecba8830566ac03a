import { struct, text, uint, list } from '@holdfast/encoding'
import { WHO_MAX, whoShape } from './people/who.ts'

/**
 * Who approves changes of one part of the workspace, in place of those who govern. What no part claims, those who govern decide, and what binds them they always
 * do.
 */
export const partShape = struct('holdfast/part/v1', { part: text(32), need: uint(8), who: list(whoShape, WHO_MAX) })
