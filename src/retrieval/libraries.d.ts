declare module "snowball-stemmers" {
  export function newStemmer(algorithm: string): { stem(word: string): string };
}

declare module "stopword/src/stopwords_eng.js" {
  export const eng: string[];
}

declare module "stopword/src/stopwords_por.js" {
  export const por: string[];
}
