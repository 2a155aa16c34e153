/**
 * Usual features of well-known kinds of systems, for ideas that are only a name: the paper's experiments start from names such as
 * "the ATM system".
 */
export interface Domain {
  pattern: RegExp;
  /** Actions by actor; "" is the system itself. */
  features: readonly (readonly [actor: string, does: string])[];
  devices?: readonly string[];
}

export const DOMAINS: readonly Domain[] = [
  {
    pattern: /\b(atm|cash machine|bank(ing)?)\b/iu,
    features: [
      ["customer", "withdraw cash"],
      ["customer", "check the account balance"],
      ["customer", "deposit money"],
      ["customer", "transfer money between accounts"],
      ["operator", "refill the cash"],
      ["", "keep the card after three wrong PINs"],
    ],
    devices: ["card reader", "keypad", "cash dispenser"],
  },
  {
    pattern: /\blibrar(y|ies)\b/iu,
    features: [
      ["member", "search the catalogue"],
      ["member", "borrow an item"],
      ["member", "renew a loan"],
      ["member", "reserve an item"],
      ["librarian", "register a member"],
      ["", "remind a member of an overdue loan"],
    ],
    devices: ["bar code scanner"],
  },
  {
    pattern: /\b(cafeteria|restaurant|canteen|food|meals?|pizza|cooking|recipes?)\b/iu,
    features: [
      ["customer", "choose a meal from the menu"],
      ["customer", "order a meal"],
      ["customer", "pay for an order"],
      ["cook", "see the open orders"],
      ["manager", "change the menu"],
      ["", "tell the customer when the meal is ready"],
    ],
  },
  {
    pattern: /\b(humidi|air.?condition|temperature|thermostat|heating|climate|greenhouse)/iu,
    features: [
      ["operator", "set the wanted value"],
      ["operator", "see the measured value"],
      ["", "measure the value once a second"],
      ["", "turn the device on when the value is too low"],
      ["", "turn the device off when the wanted value is reached"],
      ["", "raise an alarm when the sensor fails"],
    ],
    devices: ["sensor", "keypad", "display", "actuator"],
  },
  {
    pattern: /\bsmart.?home\b/iu,
    features: [
      ["resident", "switch the lights from anywhere"],
      ["resident", "set a heating schedule"],
      ["resident", "lock the door"],
      ["", "detect an open window"],
      ["", "raise an alarm when smoke is measured"],
      ["resident", "see the state of all devices"],
    ],
    devices: ["light", "door lock", "thermostat", "smoke sensor"],
  },
  {
    pattern: /\b(time (monitor|track|record|sheet)|attendance|working time)/iu,
    features: [
      ["employee", "clock in and out at a terminal"],
      ["employee", "see the own time sheet"],
      ["employee", "ask for leave"],
      ["manager", "approve leave"],
      ["payroll clerk", "export the hours of a month"],
      ["", "warn when the daily limit is passed"],
    ],
    devices: ["terminal"],
  },
  {
    pattern: /\b(shop|store|e-?commerce|market ?place|selling)\b/iu,
    features: [
      ["customer", "search for a product"],
      ["customer", "put a product into the basket"],
      ["customer", "pay for an order"],
      ["customer", "follow a delivery"],
      ["seller", "offer a product"],
      ["", "confirm each order"],
    ],
  },
  {
    pattern: /\b(clinic|hospital|doctor|dentist|patients?|appointments?)\b/iu,
    features: [
      ["patient", "book an appointment"],
      ["patient", "cancel an appointment"],
      ["doctor", "see the appointments of the day"],
      ["receptionist", "move an appointment"],
      ["", "remind the patient a day before"],
    ],
  },
  {
    pattern: /\b(school|course|learn(ing)?|university|exams?|homework)\b/iu,
    features: [
      ["student", "enrol in a course"],
      ["student", "hand in an assignment"],
      ["teacher", "publish course material"],
      ["teacher", "grade an assignment"],
      ["", "tell students of a changed date"],
    ],
  },
  {
    pattern: /\b(bikes?|bicycles?|cars?|scooters?|taxi|ride|parking)\b/iu,
    features: [
      ["rider", "find a free place or vehicle nearby"],
      ["rider", "reserve a place or vehicle"],
      ["rider", "pay the price for the time used"],
      ["operator", "see the state of each place and vehicle"],
      ["", "release a reservation that nobody uses"],
    ],
    devices: ["smartphone", "lock"],
  },
];
