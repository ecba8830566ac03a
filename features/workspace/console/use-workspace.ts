import { useEndpoint } from '@holdfast/client'
import { usePermission } from '@holdfast/features/session/console'
import { listWorkspace } from '../contract.ts'

/** The workspace as it is, and whether the reader may propose something else now. */
export function useWorkspace() {
  const mayWrite = usePermission('strategy.write')
  const { data, error, refetch } = useEndpoint(listWorkspace, {})
  return { workspace: data, error, refetch, canEdit: mayWrite && data?.open_change_id === null }
}
