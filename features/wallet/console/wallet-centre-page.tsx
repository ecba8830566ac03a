import './wallet.css'
import { listOpenCoins } from '@holdfast/features/network/contract'
import { usePermission } from '@holdfast/features/session/console'
import {
  Button,
  closePopup,
  EmptyState,
  ErrorState,
  IconEdit,
  IconMore,
  IconPlus,
  lazyDrawerBody,
  LoadingState,
  Note,
  PageHeader,
  Picker,
  Popup,
  Tabs,
  useDrawers,
  useIsPhone,
} from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { AddedKey } from './key/added-key.tsx'
import { KeyProgressList } from './key/key-progress.tsx'
import { useSelectionStore } from './selection.ts'
import { subWalletPath } from '../sub-wallet-path.ts'
import { tabsFor, useWalletParts } from './wallet-parts.ts'
import { type SubWallet, useCurrentWallet, subWalletLabel, useSubWallets, type Wallet, walletLabel } from './use-wallets.ts'

const SubWalletDrawer = lazyDrawerBody(() => import('./sub-wallet-drawer.tsx').then((module) => module.SubWalletDrawer))
const NameDrawer = lazyDrawerBody(() => import('./name-drawer.tsx').then((module) => module.NameDrawer))
/** The tab for proving that the key could be recovered, which opens the wallet for deposits. */
const RECOVERY = 'recovery'

/** One wallet: the holdings of its sub-wallets, its deposit addresses, and how its key would be recovered. */
export function WalletCentrePage() {
  const { t } = useTranslation()
  const { wallet, isKnown, error, refetch } = useCurrentWallet()
  if (wallet) return <Centre key={wallet.wallet_id} wallet={wallet} />
  return (
    <>
      <PageHeader title={t('wallet.centre.title')} />
      {isKnown ? (
        <div className="hf-panel">
          <EmptyState drawing="coins" title={t('wallet.empty.title')} action={<Link to="/mpc/wallet">{t('wallet.centre.toWallets')}</Link>} />
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState rows={8} />
      )}
    </>
  )
}

function Centre({ wallet }: { wallet: Wallet }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayCreate = usePermission('wallet.create')
  const label = walletLabel(wallet)
  const rename = () =>
    void drawers.push({ title: t('wallet.alias.title'), body: <NameDrawer kind="alias" walletId={wallet.wallet_id} present={wallet.alias ?? ''} /> })
  return (
    <>
      <PageHeader
        title={label}
        kicker={wallet.alias === null ? t('wallet.centre.kicker') : wallet.wallet_name}
        actions={
          mayCreate && (
            <Button icon={<IconEdit />} onClick={rename}>
              {t('wallet.alias.open')}
            </Button>
          )
        }
      />
      {wallet.state === 'active' ? (
        <SubWalletPart wallet={wallet} />
      ) : (
        <div className="hf-panel">
          <KeyProgressList walletId={wallet.wallet_id} />
        </div>
      )}
    </>
  )
}

function SubWalletPart({ wallet }: { wallet: Wallet }) {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const { current, subWallets, error, refetch } = useSubWallets(wallet.wallet_id)
  const coins = useEndpoint(listOpenCoins, { wallet_id: wallet.wallet_id })
  const families = coins.data && new Set(coins.data.open_main_chain.map(({ coin_type: family }) => family))
  const tabs = tabsFor(useWalletParts().tabs, families)
  const [first] = tabs
  const shown = tabs.find(({ key }) => key === search.get('tab')) ?? first
  const { closed_networks: closed } = wallet
  const isClosed = wallet.deposits === 'closed'
  const closedTitle = isClosed ? t('wallet.centre.closedTitle') : t('wallet.centre.closedOn', { networks: closed.join(t('wallet.comma')) })
  const show = (next: string) => setSearch(next === first?.key ? {} : { tab: next })
  if (!subWallets || coins.isPending) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />
  return (
    <div className="hf-stack">
      {wallet.deposits !== 'open' && shown?.key !== RECOVERY && (
        <Note tone="warn" title={closedTitle}>
          {t(isClosed ? 'wallet.centre.closed' : 'wallet.centre.closedPart')}{' '}
          <button type="button" className="hf-text-button" onClick={() => show(RECOVERY)}>
            {t('wallet.centre.toRecovery')}
          </button>
        </Note>
      )}
      {(shown?.key === RECOVERY || wallet.added_key !== null) && <AddedKey wallet={wallet} />}
      {!shown?.isOfWallet && <SubWalletBar wallet={wallet} />}
      <Tabs
        label={walletLabel(wallet)}
        tabs={tabs.map(({ key, label }) => ({ key, label: t(label.key, { ns: label.namespace }) }))}
        active={shown?.key ?? ''}
        onChange={show}
      >
        {shown?.isOfWallet && <shown.Part walletId={wallet.wallet_id} />}
        {shown?.isOfWallet === false && current && (
          <shown.Part walletId={wallet.wallet_id} subWallet={{ id: current.sub_wallet_id, name: pathOf(wallet, current) }} />
        )}
      </Tabs>
    </div>
  )
}

const pathOf = (wallet: Wallet, subWallet: SubWallet): string => subWalletPath({ wallet_name: walletLabel(wallet), sub_wallet_name: subWalletLabel(subWallet) })

function SubWalletBar({ wallet }: { wallet: Wallet }) {
  const walletId = wallet.wallet_id
  const { t } = useTranslation()
  const drawers = useDrawers()
  const store = useSelectionStore()
  const isPhone = useIsPhone()
  const mayCreate = usePermission('wallet.create')
  const { subWallets = [], current } = useSubWallets(walletId)
  const choose = (id: string) => {
    const next = subWallets.find((each) => each.sub_wallet_id === id)
    if (next) store.chooseSubWallet({ id, name: subWalletLabel(next) })
  }
  const manage = () =>
    void drawers.push({ title: t('wallet.subWallets.title', { name: walletLabel(wallet) }), body: <SubWalletDrawer wallet={wallet} /> }, { width: 900 })
  const create = async () => {
    const made = await drawers.push<{ id: string; name: string }>({
      title: t('wallet.subWallet.title'),
      body: <NameDrawer kind="subWallet" walletId={walletId} present="" />,
    })
    if (made) store.chooseSubWallet(made)
  }
  return (
    <div className="hf-row hf-sub-wallet-bar">
      <Picker
        label={t('wallet.subWallet.label')}
        className="hf-sub-wallet-picker"
        value={current?.sub_wallet_id}
        onChange={choose}
        options={subWallets.map((each) => ({ value: each.sub_wallet_id, label: subWalletLabel(each) }))}
      />
      {isPhone ? (
        <Popup label={t('wallet.subWallet.more')} className="hf-icon-button" face={<IconMore />}>
          <ul className="hf-menu">
            <MenuItem onClick={manage}>{t('wallet.card.manage')}</MenuItem>
            {mayCreate && <MenuItem onClick={() => void create()}>{t('wallet.subWallet.open')}</MenuItem>}
          </ul>
        </Popup>
      ) : (
        <>
          <Button onClick={manage}>{t('wallet.card.manage')}</Button>
          {mayCreate && (
            <Button icon={<IconPlus />} onClick={() => void create()}>
              {t('wallet.subWallet.open')}
            </Button>
          )}
        </>
      )}
    </div>
  )
}

function MenuItem({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <li>
      <button
        type="button"
        className="hf-menu-item"
        onClick={(event) => {
          closePopup(event.currentTarget)
          onClick()
        }}
      >
        {children}
      </button>
    </li>
  )
}
