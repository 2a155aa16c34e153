/** Words that the rehearsal knows: enough to find actors and actions in a rough idea. */

const words = (text: string): string[] => text.trim().split(/\s+/u);

const VERBS = words(`
  accept add adjust announce answer apply approve arrange ask assign attend avoid award back block book borrow browse build buy calculate call
  cancel capture change charge chat check choose clean clock close collect comment compare complete compose compute confirm connect
  control convert cook coordinate copy correct count create customize declare delete deliver deposit design detect discover dispatch
  display donate download draw edit enter estimate evaluate exchange explain export feed file fill filter find follow forecast generate get
  give grade guide handle hire identify import improve insert inspect install invite invoice issue join keep label learn lend list
  listen log look maintain make manage map mark match measure meet message modify monitor move navigate notify offer open order
  organize pay pick place plan play post predict prepare prescribe present prevent print process produce propose protect provide
  publish purchase rate read receive recommend record redeem refill register reject remind remove renew rent repair reply report
  request reserve respond return review run save scan schedule search see sell send set share ship show sign sort start stop store
  submit subscribe suggest summarize supervise support swap switch take teach test trace track trade train transfer translate turn
  update upload validate verify view visit vote warn watch water withdraw write`);

const ROLE_NOUNS = words(`
  accountant actor admin administrator adult agent analyst applicant approver artist assistant attendee auditor author baker bank
  bidder borrower buyer candidate caregiver caretaker carrier cashier charity chef child citizen cleaner clerk client clinician coach
  collector colleague commuter company contractor cook courier customer cyclist dealer dentist designer developer dispatcher doctor
  donor driver editor employee employer engineer expert family farmer friend gardener grower guardian guest host hotel household
  inspector instructor investor janitor kid landlord lawyer learner lecturer lender librarian listener manager mechanic member mentor
  merchant moderator musician neighbor neighbour nurse officer operator organizer organiser owner parent participant passenger patient
  payer pedestrian person pharmacist photographer physician pilot planner player professor programmer publisher pupil reader
  receptionist recruiter reporter researcher resident restaurant reviewer rider runner school scientist secretary seller senior shelter shop shopkeeper shopper
  singer skipper sponsor staff student subscriber supermarket supervisor supplier surgeon teacher teacher-trainer team technician teen tenant
  therapist tourist trainer translator traveler traveller treasurer tutor user vendor veterinarian viewer visitor volunteer voter
  waiter walker warden worker writer`);

/** Role nouns that form one name with the word before them: "dog walker", "payroll clerk". */
export const COMPOUND_ROLES = new Set(words("agent clerk driver manager officer operator owner staff walker worker"));

/** Words that denote the system itself. */
export const SYSTEM_WORDS = new Set(
  words(
    "app application bot controller device game machine platform portal program robot service site software system tool website",
  ),
);

const DEVICES = words(`
  alarm barrier bell boiler button camera dial display door fan gate heater humidifier humidistat keyboard keypad lamp light lock
  meter microphone monitor motor phone printer projector pump reader robot scale scanner screen sensor siren smartphone speaker
  switch tablet terminal thermometer thermostat valve watch`);

export const DETERMINERS = new Set(
  words(
    "a an the this that these those its their my our your his her each every any all some no several many few own new one two three",
  ),
);

/** Words after which a verb may follow. */
export const BEFORE_VERB = new Set(
  words(`to can could will would shall must may might should and or then also automatically i we they you who that which lets let
    helps help make makes people everybody everyone anyone for by without of when not please they'll easily quickly safely online`),
);

/** Words that end an object. */
export const AFTER_OBJECT = new Set(
  words(`and or but when while whenever so if that which who whom where because unless before after until then as once since though
    although is are was were be has have can will would should must may automatically using via than`),
);

/** Words with which an object neither begins nor ends. */
export const WEAK_EDGES = new Set(
  words(`a an the of for from to with in on at by into onto about over out off between through near under up down my our your their his her its own some any online
    very just also too again together with per old dry busy empty`),
);

export const PRONOUNS = new Set(
  words(
    "it them him us me you they he she we i there this that these those someone something everybody everyone each other",
  ),
);

/** Verbs that need no object. */
export const INTRANSITIVE = new Set(words("pay chat vote register subscribe sign log clock play"));

const COMMON_ENGLISH = new Set(
  words(
    "a an the and or of to in on for with that which who where is are be can will their my our your it they we i want need from by at as",
  ),
);

/** Words without information about a system: "a small web app". */
export const VAGUE = new Set(
  words("small simple little web mobile new online digital smart modern free easy good nice better"),
);

/** Verbs by their inflected forms. Wrong forms do no harm, because no text contains them. */
const VERB_FORMS = new Map(
  VERBS.flatMap((verb) => {
    const stem = verb.replace(/e$/u, "");
    const soft = verb.replace(/y$/u, "i");
    const doubled = verb + verb.at(-1);
    return [`${verb}s`, `${verb}es`, `${soft}es`, `${stem}ing`, `${doubled}ing`, verb].map(
      (form) => [form, verb] as const,
    );
  }),
);

const ROLE_FORMS = new Map(
  ROLE_NOUNS.flatMap((noun) => {
    const forms = [noun, `${noun}s`, `${noun}es`, noun.replace(/y$/u, "ies"), noun.replace(/man$/u, "men")];
    return forms.map((form) => [form, noun] as const);
  }),
)
  .set("people", "person")
  .set("children", "child")
  .set("staff", "staff member");

const DEVICE_FORMS = new Map(
  DEVICES.flatMap((noun) => [noun, `${noun}s`, noun.replace(/y$/u, "ies")].map((form) => [form, noun] as const)),
);

export const verbOf = (word: string): string | undefined => VERB_FORMS.get(word);
export const roleOf = (word: string): string | undefined => ROLE_FORMS.get(word);
export const deviceOf = (word: string): string | undefined => DEVICE_FORMS.get(word);
export const isCommonEnglish = (word: string): boolean => COMMON_ENGLISH.has(word);
