/** Why a backup was not written or not restored. The message says what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}
