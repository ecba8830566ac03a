/** The id of the rule that is made with a key. */
export const ruleIdOf = (appId: string): string => `api:${appId}`.slice(0, 64)
/** The id of the rule by which it has contracts called. */
export const callRuleIdOf = (appId: string): string => `api-call:${appId}`.slice(0, 64)
