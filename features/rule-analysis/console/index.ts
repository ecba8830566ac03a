export { LiveCoverage } from './live-coverage.tsx'
export { OpenRuleAnalysis } from './open-rule-analysis.tsx'
