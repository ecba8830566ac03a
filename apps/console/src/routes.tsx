import { loadLoginPage } from '@holdfast/features/session/console'
import { loadSetupPage } from '@holdfast/features/setup/console'
import { Navigate, Route, Routes } from 'react-router'
import { AtOwnPath, Known, Members, WithPageTexts } from './gates.tsx'
import { HOME } from './home.ts'
import { lazyPage } from './page.tsx'
import { PublicFrame } from './screens/public-frame.tsx'

const Shell = lazyPage(() => import('./shell/shell.tsx').then((module) => module.Shell))
const Login = lazyPage(loadLoginPage)
const Setup = lazyPage(loadSetupPage)
const NotPermitted = lazyPage(() => import('./screens/not-permitted.tsx').then((module) => module.NotPermitted))

/** Begins to fetch what a path shows to somebody who is signed in. */
export function preloadPage(path: string): void {
  Shell.preload()
  import('./member-pages.tsx').then((pages) => pages.preloadMemberPage(path)).catch(() => undefined)
}

/** Every address of the console. An unknown one leads to the wallets. */
export function ConsoleRoutes() {
  const toHome = <Navigate to={HOME} replace />
  const login = (
    <AtOwnPath>
      <Login />
    </AtOwnPath>
  )
  const setup = (
    <WithPageTexts>
      <Setup />
    </WithPageTexts>
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
        <Route path="/mpc/setup" caseSensitive element={setup} />
        <Route path="/custody/notPms" caseSensitive element={<NotPermitted />} />
      </Route>
      <Route
        path="/mpc/*"
        element={
          <Known>
            <Members>
              <Shell />
            </Members>
          </Known>
        }
      />
      <Route path="*" element={toHome} />
    </Routes>
  )
}
