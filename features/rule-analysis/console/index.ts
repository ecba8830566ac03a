export { OpenRuleAnalysis } from './open-rule-analysis.tsx'
