import { usePermission } from '@holdfast/features/session/console'
import { IconEdit, IconRight, Label, lazyDrawerBody, StatusTag, type Tone, useDrawers } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { archiveWallet, updateTop } from '../contract.ts'
import { IconArchive, IconPin, IconPinned, IconRestore } from './icons.tsx'
import { KeyProgressBrief } from './key/key-progress.tsx'
import { Worth } from './money.tsx'
import { useSelectionStore } from './selection.ts'
import { subWalletLabel, type Wallet, walletLabel } from './use-wallets.ts'

const NameDrawer = lazyDrawerBody(() => import('./name-drawer.tsx').then((module) => module.NameDrawer))
const SubWalletDrawer = lazyDrawerBody(() => import('./sub-wallet-drawer.tsx').then((module) => module.SubWalletDrawer))

/** One wallet: its value, its state, what must be done next, and the link to it. One that is put away is not entered before it is back. */
export function WalletCard({ wallet, isAway = false }: { wallet: Wallet; isAway?: boolean }) {
  const { t } = useTranslation()
  const store = useSelectionStore()
  const label = walletLabel(wallet)
  const choose = () => store.chooseWallet({ id: wallet.wallet_id, name: label })
  const isMade = wallet.state === 'active'
  const isOpen = isMade && !isAway
  return (
    <article className="hf-panel hf-wallet-card">
      <header className="hf-wallet-card-head">
        <div className="hf-grow">
          <h2 className="hf-break">
            {isOpen ? (
              <Link to="/mpc/center/wallet" onClick={choose} className="hf-card-link">
                <Label text={label} />
              </Link>
            ) : (
              <Label text={label} />
            )}
          </h2>
          {wallet.alias !== null && (
            <p className="hf-small hf-faint">
              <Label text={wallet.wallet_name} />
            </p>
          )}
        </div>
        <CardActions wallet={wallet} />
      </header>
      {isMade ? (
        <p className="hf-wallet-card-value hf-raised-link">
          <Worth value={wallet.usd_balance} isPartial={wallet.usd_partial} large />
        </p>
      ) : (
        <KeyProgressBrief walletId={wallet.wallet_id} />
      )}
      {isOpen && <SubWalletNames wallet={wallet} />}
      <footer className="hf-wallet-card-foot">
        <span className="hf-row-tight">
          <WalletState wallet={wallet} />
          {wallet.archived && <StatusTag tone="neutral" text={t('wallet.state.archived')} />}
          {isOpen && wallet.deposits !== 'open' && (
            <Link to="/mpc/center/wallet?tab=recovery" onClick={choose} className="hf-small hf-raised-link">
              {t('wallet.card.verify')}
            </Link>
          )}
        </span>
        {isOpen && (
          <span className="hf-row-tight">
            {wallet.todo_count > 0 && (
              <Link to="/mpc/center/wallet/transactions?status=1000&type=withdraw" onClick={choose} className="hf-small hf-raised-link">
                {t('wallet.card.todo', { count: wallet.todo_count })}
              </Link>
            )}
            <IconRight className="hf-faint" />
          </span>
        )}
      </footer>
    </article>
  )
}

function CardActions({ wallet }: { wallet: Wallet }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayRename = usePermission('wallet.create')
  const mayArchive = usePermission('wallet.update')
  const pin = useSend(updateTop)
  const archive = useSend(archiveWallet)
  const label = walletLabel(wallet)
  const pinWords = t(wallet.top ? 'wallet.card.unpin' : 'wallet.card.pin', { name: label })
  const archiveWords = t(wallet.archived ? 'wallet.card.restore' : 'wallet.card.archive', { name: label })
  const renameWords = t('wallet.card.rename', { name: label })
  const rename = () =>
    void drawers.push({ title: t('wallet.alias.title'), body: <NameDrawer kind="alias" walletId={wallet.wallet_id} present={wallet.alias ?? ''} /> })
  return (
    <span className="hf-card-tools">
      {mayRename && (
        <button type="button" className="hf-icon-button" aria-label={renameWords} title={renameWords} onClick={rename}>
          <IconEdit />
        </button>
      )}
      {mayArchive && (
        <button
          type="button"
          className="hf-icon-button"
          aria-label={archiveWords}
          title={archiveWords}
          aria-pressed={wallet.archived}
          onClick={() => archive.mutate({ wallet_id: wallet.wallet_id, archived: !wallet.archived })}
        >
          {wallet.archived ? <IconRestore /> : <IconArchive />}
        </button>
      )}
      <button
        type="button"
        className={wallet.top ? 'hf-icon-button hf-icon-on' : 'hf-icon-button'}
        aria-label={pinWords}
        title={pinWords}
        aria-pressed={wallet.top}
        onClick={() => pin.mutate({ wallet_id: wallet.wallet_id, top: !wallet.top })}
      >
        {wallet.top ? <IconPinned /> : <IconPin />}
      </button>
    </span>
  )
}

function WalletState({ wallet }: { wallet: Wallet }) {
  const { t } = useTranslation()
  const [tone, key]: [Tone, string] =
    wallet.state === 'creating'
      ? ['active', 'creating']
      : wallet.state === 'failed'
        ? ['bad', 'failed']
        : wallet.retired
          ? ['neutral', 'retired']
          : wallet.deposits === 'open'
            ? ['good', 'open']
            : wallet.recovery_overdue
              ? ['bad', 'overdue']
              : ['warn', wallet.deposits]
  return <StatusTag tone={tone} text={t(`wallet.state.${key}`)} />
}

function SubWalletNames({ wallet }: { wallet: Wallet }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const rest = wallet.sub_wallet_count + wallet.hidden_count - wallet.sub_wallet_list.length
  const open = () =>
    void drawers.push({ title: t('wallet.subWallets.title', { name: walletLabel(wallet) }), body: <SubWalletDrawer wallet={wallet} /> }, { width: 900 })
  return (
    <div className="hf-row-tight">
      <ul className="hf-chips" aria-label={t('wallet.card.subWallets')}>
        {wallet.sub_wallet_list.map((each) => (
          <li key={each.sub_wallet_id} className="hf-sub-wallet-chip">
            <Label text={subWalletLabel(each)} />
          </li>
        ))}
      </ul>
      <button type="button" className="hf-text-button hf-small hf-raised-link" onClick={open}>
        {rest > 0 ? t('wallet.card.more', { count: rest }) : t('wallet.card.manage')}
      </button>
    </div>
  )
}
