import { DrawerBody, Shortcut, useLetterKeys } from '@holdfast/ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigation } from './navigation.tsx'

/** What each page is for, in the words with which it begins. */
const ABOUT: Readonly<Record<string, readonly [key: string, namespace?: string]>> = {
  '/mpc/wallet': ['wallet.note'],
  '/mpc/center/wallet': ['settings.help.centre'],
  '/mpc/center/wallet/transactions': ['transaction.note'],
  '/mpc/center/wallet/todo': ['approval.note'],
  '/mpc/center/wallet/keyRecovery': ['page.note', 'privateKeyRecovery'],
  '/mpc/teamMember': ['note', 'teamMember'],
  '/mpc/settings': ['settings.note'],
  '/mpc/transactionNotification': ['notification.note'],
  '/mpc/audit': ['evidence.audit.note'],
  '/mpc/loginHistory': ['history.noteOwn', 'teamMember'],
  '/mpc/inbox': ['inbox.note'],
  '/mpc/wallet/personalBook': ['note', 'whiteAddress'],
}

/** What the page behind it is for, and the keys that lead on. `path` is of that page. */
export function HelpPanel({ path }: { path: string }) {
  const { t } = useTranslation()
  const entries = useNavigation()
  const hasLetterKeys = useLetterKeys()
  const [key, namespace] = ABOUT[path] ?? []
  return (
    <DrawerBody label={t('settings.help.shortcuts')}>
      <div className="hf-stack-wide">
        {key !== undefined && (
          <section className="hf-stack-tight" aria-labelledby="help-page">
            <h3 id="help-page">{t('settings.help.page')}</h3>
            <p>{t(key, { ns: namespace })}</p>
          </section>
        )}
        <section className="hf-stack-tight" aria-labelledby="help-keys">
          <h3 id="help-keys">{t('settings.help.shortcuts')}</h3>
          {!hasLetterKeys && <p className="hf-muted">{t('settings.help.letters')}</p>}
          <dl className="hf-help-keys">
            <Line keys={<Shortcut keys="mod+k" />} words={t('settings.help.palette')} />
            <Line keys={<Shortcut keys="?" />} words={t('settings.help.help')} />
            <Line keys={<kbd>Esc</kbd>} words={t('settings.help.close')} />
            <Line keys={<kbd>← ↑ ↓ →</kbd>} words={t('settings.help.move')} />
            {entries.map(({ to, label, shortcut }) => (
              <Line key={to} keys={<Shortcut keys={shortcut} />} words={t(label.key, { ns: label.namespace })} />
            ))}
          </dl>
        </section>
        <p className="hf-muted">{t('settings.help.terms')}</p>
      </div>
    </DrawerBody>
  )
}

function Line({ keys, words }: { keys: ReactNode; words: string }) {
  return (
    <div className="hf-spread">
      <dt>{words}</dt>
      <dd>{keys}</dd>
    </div>
  )
}
