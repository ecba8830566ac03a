import type { Needs } from '../read-request.ts'
import { buildable } from './buildable.ts'
import type { Asked, Check, Told } from './check.ts'
import { comment } from './comment.ts'
import { covered } from './covered.ts'
import { feeCap } from './fee-cap.ts'
import { lost } from './lost.ts'
import { ownAddress } from './own-address.ts'
import { ownControl } from './own-control.ts'
import { warnings } from './warnings.ts'

/** Every check before an order, in the order in which people see their refusals. */
const CHECKS: readonly Check[] = [ownAddress, lost, ownControl, covered, comment, warnings, feeCap, buildable]

/** Runs the checks that need nothing from the chain. Throws AppError with the first reason against the payment. */
export function checkKnown(asked: Asked): void {
  for (const { known } of CHECKS) known?.(asked)
}

/** Runs the checks that need the chain's answers. Throws AppError with the first reason against the payment. */
export async function checkTold(needs: Needs, told: Told): Promise<void> {
  for (const { told: check } of CHECKS) await check?.(needs, told)
}
