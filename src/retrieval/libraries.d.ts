declare module "wink-porter2-stemmer" {
  export default function stem(word: string): string;
}

declare module "stopword/src/stopwords_eng.js" {
  export const eng: string[];
}

declare module "stopword/src/stopwords_por.js" {
  export const por: string[];
}
