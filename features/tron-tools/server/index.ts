import type { ServerContext } from '@holdfast/features/context'
import type { ServerFeature, ServerServices } from '@holdfast/features/server-feature'
import { agentEndpoints } from './agent/routes.ts'
import { startAgent } from './agent/run-agent.ts'
import { openEnergyMarket } from './market/energy-market.ts'
import { tronToolEndpoints } from './routes.ts'
import { startSampling } from './sample.ts'
import { tronPlaces } from './tron-places.ts'

export { LOST_RENT } from './agent/choose-rent.ts'
export { codeOfReason, type ToldOfEnergy, toldOfEnergy } from './agent/told.ts'
export { type WatchedAddress, watchedAddresses } from './told-of-low.ts'

export const feature: ServerFeature = {
  endpoints: (context, services) => [...tronToolEndpoints(context), ...agentEndpoints(withMarket(context, services), services.session)],
  work: (context, services) => [startSampling(context, services.report), startAgent(withMarket(context, services), services.report)],
}

/** With whoever rents energy out on the network where the agent lends, if anybody is configured. */
function withMarket(context: ServerContext, { energyMarketUrl: url }: Pick<ServerServices, 'energyMarketUrl'>) {
  const [place] = tronPlaces(context)
  return { ...context, market: url !== undefined && place ? openEnergyMarket(context.ports, url, place.network.chain) : undefined }
}
