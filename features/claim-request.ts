import { AppError } from '@holdfast/contract'
import { claimRequest as claim, RequestConflict } from '@holdfast/db'

/** As `claimRequest` of the database, for a request that came from outside: AppError `duplicate_request` where its id was used for something else. */
export async function claimRequest(...given: Parameters<typeof claim>): ReturnType<typeof claim> {
  try {
    return await claim(...given)
  } catch (cause) {
    if (cause instanceof RequestConflict) throw new AppError('duplicate_request', { cause })
    throw cause
  }
}
