/**
 * The model of OpenAI that is used where none is named: the one that OpenAI recommends in place of its earlier small models
 * (https://developers.openai.com/api/docs/deprecations, read on 2026-11-26). The one place that names a model.
 */
export const DEFAULT_OPENAI_MODEL = "gpt-6.1-terra";
