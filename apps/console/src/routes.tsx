import { loadPersonalBookPage } from '@holdfast/features/address-book/console'
import { loadTodoPage } from '@holdfast/features/approval/console'
import { loadKeyPage } from '@holdfast/features/key-recovery/console'
import { loadNotificationPage } from '@holdfast/features/notification/console'
import { loadLoginPage } from '@holdfast/features/session/console'
import { loadSetupPage } from '@holdfast/features/setup/console'
import { loadLoginHistoryPage, loadTeamPage } from '@holdfast/features/team/console'
import { loadTransactionsPage } from '@holdfast/features/transaction/console'
import { loadWalletCentrePage, loadWalletPage } from '@holdfast/features/wallet/console'
import { Navigate, Route, Routes } from 'react-router'
import { AtOwnPath, Known, Members } from './gates.tsx'
import { type LazyPage, lazyPage } from './page.tsx'
import { PublicFrame } from './screens/public-frame.tsx'

const HOME = '/mpc/wallet'

const Shell = lazyPage(() => import('./shell/shell.tsx').then((module) => module.Shell))
const Login = lazyPage(loadLoginPage)
const Setup = lazyPage(loadSetupPage)
const NotPermitted = lazyPage(() => import('./screens/not-permitted.tsx').then((module) => module.NotPermitted))

/** The pages of somebody who is signed in, by their path under /mpc. */
const memberPages: Readonly<Record<string, LazyPage>> = {
  wallet: lazyPage(loadWalletPage),
  'wallet/personalBook': lazyPage(loadPersonalBookPage),
  'center/wallet': lazyPage(loadWalletCentrePage),
  'center/wallet/transactions': lazyPage(loadTransactionsPage),
  'center/wallet/todo': lazyPage(loadTodoPage),
  'center/wallet/keyRecovery': lazyPage(loadKeyPage),
  transactionNotification: lazyPage(loadNotificationPage),
  teamMember: lazyPage(loadTeamPage),
  loginHistory: lazyPage(loadLoginHistoryPage),
}

/** Begins to fetch what a path shows to somebody who is signed in. */
export function preloadPage(path: string): void {
  Shell.preload()
  memberPages[path.replace(/^\/mpc\//, '')]?.preload()
}

/** Every address of the console. An unknown one leads to the wallets. */
export function ConsoleRoutes() {
  const toHome = <Navigate to={HOME} replace />
  const login = (
    <AtOwnPath>
      <Login />
    </AtOwnPath>
  )
  return (
    <Routes>
      <Route
        element={
          <Known>
            <PublicFrame />
          </Known>
        }
      >
        <Route path="/login" caseSensitive element={login} />
        <Route path="/zh-CN/login" caseSensitive element={login} />
        <Route path="/mpc/setup" caseSensitive element={<Setup />} />
        <Route path="/custody/notPms" caseSensitive element={<NotPermitted />} />
      </Route>
      <Route
        path="/mpc"
        element={
          <Known>
            <Members>
              <Shell />
            </Members>
          </Known>
        }
      >
        <Route index element={toHome} />
        {Object.entries(memberPages).map(([path, Page]) => (
          <Route key={path} path={path} caseSensitive element={<Page />} />
        ))}
        <Route path="*" element={toHome} />
      </Route>
      <Route path="*" element={toHome} />
    </Routes>
  )
}
