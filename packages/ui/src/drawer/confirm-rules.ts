/** The most characters of a remark, counted as people count them. */
export const REMARK_LIMIT = 200

/** Whether the confirm button works: not while a required acknowledgement is unticked, nor while a required remark is empty. */
export function canConfirm(needsAcknowledgement: boolean, isAcknowledged: boolean, needsRemark = false, remark = ''): boolean {
  return (!needsAcknowledgement || isAcknowledged) && (!needsRemark || remark.trim() !== '')
}
