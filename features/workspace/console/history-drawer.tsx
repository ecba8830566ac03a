import { useEndpoint } from '@holdfast/client'
import { ChangeLines, openChangeDrawer } from '@holdfast/features/policy/console'
import { DrawerBody, ErrorState, Label, LoadingState, Time, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { getWorkspacePart } from '../contract.ts'
import type { Part } from './workspace.ts'

/** Every change of what a part governs, the newest first. */
export function HistoryDrawer({ partKey: key }: { partKey: Part['key'] }) {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const { data, error, refetch } = useEndpoint(getWorkspacePart, { key })
  return (
    <DrawerBody>
      {data ? (
        <ul className="hf-workspace-history">
          {data.log.map(({ version, at, change_id: id, initiator, lines }) => (
            <li key={version}>
              <p className="hf-small hf-muted hf-row-tight">
                <strong className="hf-numbers">{t('workspace.version', { version })}</strong>
                <Time ms={at} />
                {initiator && <Label text={initiator.name} />}
                {id !== null && (
                  <button type="button" className="hf-text-button" onClick={() => openChangeDrawer(drawers, id, t('change.title', { version }))}>
                    {t('change.details')}
                  </button>
                )}
              </p>
              <ChangeLines lines={lines} />
            </li>
          ))}
        </ul>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState rows={6} />
      )}
    </DrawerBody>
  )
}
