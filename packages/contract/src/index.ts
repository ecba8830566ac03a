export { AppError } from './app-error.ts'
export { reasonIn } from './words/parameter-reasons.ts'
export { CallError, TransportError } from './call-error.ts'
export { type CookieJar, createCookieJar, readCookie } from './cookie-jar.ts'
export {
  type CallHeaders,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  DEFAULT_TIMEOUT_MS,
  XSRF_COOKIE,
  XSRF_HEADER,
} from './create-client.ts'
export {
  type CallInput,
  atPath,
  defineEndpoint,
  type Endpoint,
  type EndpointDefinition,
  type InputOf,
  isMutating,
  type OutputOf,
  type Permission,
  type ReplyOf,
  isSecretField,
  takesFile,
} from './define-endpoint.ts'
export { type Envelope, envelopeSchema, errorEnvelope, SUCCESS_CODE, successEnvelope } from './envelope.ts'
export { defineErrors, entry, joinErrors, type Language, type Reaction, type Refusal } from './define-errors.ts'
export { looksLikeName } from './name-skeleton.ts'
export {
  addressText,
  amountText,
  answerPage,
  boolText,
  feeTier,
  idListText,
  idText,
  jsonField,
  keywordText,
  labelText,
  pageNumber,
  pageOf,
  partOf,
  pageSize,
  positiveAmountText,
  remarkText,
  requestIdText,
  timeMsText,
  tokenIdText,
  totpText,
  wholeNumberText,
} from './field-types.ts'
export { formEncode } from './form-encode.ts'
export { type DescribedCall, openApi, type OpenApiDocument } from './open-api.ts'
export { demandNewKey, MAX_FORM_BYTES, MAX_FORM_KEYS, parseForm, putText, textFault } from './parse-form.ts'
export { readInput } from './read-input.ts'
export { EVENTS_REMEMBERED_MS, readEvents, type ServerEvent } from './read-events.ts'
export { sentenceOf } from './words/sentence-of.ts'
export { type SystemErrorName, systemErrors } from './system-errors.ts'
export { announcedTopics, type AnnouncedTopic, type Topic, untoldTopics } from './topics.ts'
