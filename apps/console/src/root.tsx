import { DrawerContext, ToastHost } from '@holdfast/ui'
import { lazy, Suspense, useContext, useEffect, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { ChunkLoadError } from './chunk-failure.ts'
import { ConsoleRoutes } from './routes.tsx'
import { useServices } from './services-context.ts'

const DrawerHost = lazy(() =>
  import('./drawer-host.ts').catch((cause: unknown) => {
    throw new ChunkLoadError(cause)
  }),
)

/** What stands in every page: the page itself, the side drawer and the messages. */
export function Root() {
  const services = useServices()
  const navigate = useNavigate()
  useEffect(() => {
    services.takeNavigator((path, options) => void navigate(path, options))
  }, [services, navigate])
  return (
    <>
      <ConsoleRoutes />
      <Drawers />
      <ToastHost />
    </>
  )
}

/** The side drawer is fetched when it is first opened. */
function Drawers() {
  const drawers = useContext(DrawerContext)
  const isUsed = useSyncExternalStore(drawers?.subscribe ?? noSubscription, () => (drawers?.pages().length ?? 0) > 0)
  return (
    isUsed && (
      <Suspense fallback={null}>
        <DrawerHost />
      </Suspense>
    )
  )
}

const noSubscription = () => () => undefined
