import { openOutside, useExplorers } from '@holdfast/features/network/console'
import { usePermission, useSession } from '@holdfast/features/session/console'
import { closePopup, Popup, useDrawers, useToast } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { openLabelDrawer } from '../open-label-drawer.tsx'
import { placeOf, useRecordParts } from '../record-parts.ts'
import { openReplaceDrawer } from '../record/open-replace-drawer.tsx'
import { canCancel, canCancelOnChain, canCpfp, canOrderAgain, canSpeedUp, isOutsideBlocks } from '../status.ts'
import type { Row } from '../row.ts'
import { linkOf, useOrderAgain, useReceipt, useTakeBack } from '../use-order-actions.ts'

/** `words` where the action has none of its own among the words of this page. */
type Action = [key: string, isOffered: boolean, act: () => void, words?: string]

/** What can be done with one row. What cannot be done with it is not offered. */
export function RowMenu({ row, onOpen }: { row: Row; onOpen: (row: Pick<Row, 'id' | 'type'>) => void }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const toast = useToast()
  const session = useSession()
  const mayAsk = usePermission('withdraw.create')
  const mayLabel = usePermission('transaction.mark')
  const explorers = useExplorers(row)
  const receipt = useReceipt()
  const takeBack = useTakeBack()
  const orderAgain = useOrderAgain()
  const { RecordMenu } = useRecordParts()
  const isMine = row.initiator?.person_id === session?.session?.person_id
  const copyLink = () =>
    navigator.clipboard.writeText(linkOf(row)).then(
      () => toast.success(t('transaction.action.linkCopied'), 'copy'),
      () => toast.error(t('ui.copy.failed'), 'copy'),
    )
  const outside = explorers.map(({ host, url }): Action => [host, true, () => openOutside(url), t('network.explorer.open', { host })])
  const actions: Action[] = [
    ['details', true, () => onOpen(row)],
    ['label', mayLabel && !isOutsideBlocks(row), () => openLabelDrawer(drawers, { row, title: t('transaction.label.title') })],
    ['again', mayAsk && canOrderAgain(row), () => orderAgain(row)],
    ['receipt', !row.about, () => receipt.save(row)],
    ['copyLink', true, () => void copyLink()],
    ...outside,
    [
      'speedUp',
      mayAsk && canSpeedUp(row),
      () => openReplaceDrawer(drawers, { orderId: row.id, isCancel: false, title: t('transaction.replace.speedUpTitle') }),
    ],
    ['cpfp', mayAsk && canCpfp(row), () => openReplaceDrawer(drawers, { orderId: row.id, isCancel: false, title: t('transaction.cpfp.title') })],
    [
      'cancelPayment',
      mayAsk && canCancelOnChain(row),
      () => openReplaceDrawer(drawers, { orderId: row.id, isCancel: true, title: t('transaction.replace.cancelTitle') }),
    ],
    ['cancel', mayAsk && isMine && canCancel(row), () => void takeBack.ask(row.id)],
  ]
  return (
    <Popup label={t('transaction.action.menu')} className="hf-icon-button" face={<span aria-hidden>⋯</span>}>
      <ul className="hf-menu">
        {actions
          .filter(([, isOffered]) => isOffered)
          .map(([key, , act, words]) => (
            <li key={key}>
              <button
                type="button"
                className={key === 'cancel' || key === 'cancelPayment' ? 'hf-menu-item hf-menu-grave' : 'hf-menu-item'}
                onClick={(event) => {
                  closePopup(event.currentTarget)
                  act()
                }}
              >
                {words ?? t(`transaction.action.${key}`)}
              </button>
            </li>
          ))}
        <RecordMenu {...placeOf(row)} />
      </ul>
    </Popup>
  )
}
