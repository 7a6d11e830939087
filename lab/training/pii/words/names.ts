function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Given and family names in Latin script that faker lacks, compiled by hand. */
export const romanised = {
  japanese: {
    first:
      words(`Haruto Yuto Sota Yuki Hayato Haruki Ryota Takumi Kenta Daiki Shota Kaito Naoki Kenji Hiroshi Takashi
      Satoshi Makoto Kazuo Akira Shinji Masao Ichiro Jiro Saburo Tetsuya Koji Yusuke Ryo Tsubasa Sakura Yui Aoi Hina Rin Mio
      Yuna Misaki Nanami Ayaka Haruka Asuka Mai Emi Keiko Yoko Kumiko Noriko Michiko Yumiko Sachiko Tomoko Naoko Megumi
      Chihiro Kaori Mariko Ayumi Reiko Hanako Setsuko Fumiko Kiyoshi Yoshio Isamu Noboru`),
    last: words(`Sato Suzuki Takahashi Tanaka Watanabe Ito Yamamoto Nakamura Kobayashi Kato Yoshida Yamada Sasaki Yamaguchi
      Matsumoto Inoue Kimura Hayashi Shimizu Yamazaki Mori Abe Ikeda Hashimoto Yamashita Ishikawa Nakajima Maeda Fujita
      Ogawa Goto Okada Hasegawa Murakami Kondo Ishii Saito Sakamoto Endo Aoki Fujii Nishimura Fukuda Ota Miura Fujiwara
      Okamoto Matsuda Nakagawa Nakano Harada Ono Tamura Takeuchi Kaneko Wada Nakayama Ishida Ueda Morita Kojima`),
  },
  chinese: {
    first:
      words(`Wei Fang Na Xiuying Min Jing Li Qiang Lei Yang Jun Yong Yan Jie Juan Tao Ming Chao Xia Ping Gang Guiying
      Haoran Yuxuan Zihan Jiahao Mengyao Xinyi Ruoxi Yichen Zixuan Xiaoming Xiaoli Jianguo Jianhua Zhiqiang Hongmei Meiling
      Dong Bo Kai Peng Hui Bin Xin Yu Hao Shan Shu Lan Feng Long`),
    last: words(`Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Gao Lin Luo Zheng Liang Xie Tang
      Deng Feng Yu Dong Xiao Cheng Cao Yuan Fu Shen Zeng Peng Lü Su Lu Jiang Cai Jia Ding Wei Xue Ye Yan Pan Du Dai Xia
      Zhong Tian Ren Fan Fang Shi Yao Tan Sheng Zou Xiong Jin Hao Kong Bai Cui Kang Mao Qiu Qin Gu Hou Shao Meng`),
  },
  korean: {
    first:
      words(`Min-jun Seo-yeon Ji-hoon Ji-woo Hyun-woo Ye-jin Soo-jin Min-seo Joon-ho Sung-min Young-ho Eun-ji Hye-jin
      Dong-hyun Jae-won Seung-hoon Mi-sook Young-ja Kyung-soo Sang-hoon Yuna Jimin Hana Seojun Doyun Jiho Haeun Soyeon`),
    last: words(
      'Kim Lee Park Choi Jung Kang Cho Yoon Jang Lim Han Oh Seo Shin Kwon Hwang Ahn Song Ryu Hong Jeon Ko Moon Yang Son Bae Baek Heo Nam Noh',
    ),
  },
  arabic: {
    first:
      words(`Mohammed Ahmed Mahmoud Mustafa Ali Hassan Hussein Omar Khaled Youssef Ibrahim Abdullah Abdulrahman Tariq
      Karim Samir Walid Faisal Sultan Nasser Hamza Bilal Ziad Rami Fadi Marwan Anwar Jamal Fatima Aisha Maryam Khadija
      Zainab Layla Noor Huda Salma Amina Rania Dalia Yasmin Samira Nadia Hanan Iman Lina Rasha Ghada Mona Suad Nawal`),
    last: words(`Al-Masri Al-Hashimi Haddad Khoury Mansour Nasser Saleh Hamdan Al-Rashid Al-Farsi Najjar Qasim Aziz Shaheen
      Darwish Bishara Ghanem Kassab Maalouf Nassar Rahal Sabbagh Tawfik Zaman Al-Amin Bakri Farouk El-Sayed Abdallah Jaber
      Hakimi Bennani Alaoui Benali Cherif Mansouri Toumi Trabelsi Boukhari Belkacem Ziani Amrani`),
  },
  persian: {
    first:
      words(`Reza Hossein Mehdi Amir Hamid Saeed Majid Farhad Kourosh Dariush Babak Behrouz Arash Navid Kaveh Siavash
      Shirin Parisa Maryam Zahra Leila Nasrin Mina Azadeh Golnaz Roya Niloufar Setareh Mahsa Sahar Laleh Fereshteh`),
    last: words(`Hosseini Ahmadi Mohammadi Karimi Rezaei Mousavi Jafari Sadeghi Hashemi Rahimi Ebrahimi Moradi Ghasemi
      Tehrani Esfahani Shirazi Kermani Farahani Bahrami Golzar Pahlavan Nikzad Rostami Sohrabi Yazdani Zand Daneshvar`),
  },
  icelandic: {
    first:
      words(`Jón Guðmundur Sigurður Gunnar Ólafur Einar Kristján Magnús Stefán Jóhann Björn Árni Bjarni Helgi Halldór
      Kristinn Ragnar Páll Þórður Hörður Guðrún Anna Kristín Sigríður Margrét Helga Sigrún Ingibjörg Jóhanna María Elín
      Guðbjörg Ásta Ragnheiður Hildur Erla Lilja Þóra Unnur Hulda Birna Auður Sólveig Íris Arnar Baldur Eyþór Freyr`),
    last: words(`Jónsson Guðmundsson Sigurðsson Gunnarsson Ólafsson Einarsson Kristjánsson Magnússon Stefánsson Jóhannsson
      Björnsson Árnason Bjarnason Helgason Halldórsson Ragnarsson Pálsson Þórðarson Jónsdóttir Guðmundsdóttir
      Sigurðardóttir Gunnarsdóttir Ólafsdóttir Einarsdóttir Kristjánsdóttir Magnúsdóttir Stefánsdóttir Jóhannsdóttir
      Árnadóttir Helgadóttir Halldórsdóttir Ragnarsdóttir Pálsdóttir Hauksson Hauksdóttir Þorsteinsson Þorsteinsdóttir`),
  },
  estonian: {
    first: words(
      'Rein Jüri Toomas Andres Peeter Mart Urmas Priit Tõnu Kalev Indrek Margus Siim Rasmus Tiina Anne Ülle Piret Kadri Liis Katrin Triin Merike Maarja Õie Helve Aino Kersti',
    ),
    last: words(
      'Tamm Saar Sepp Mägi Kask Kukk Rebane Ilves Pärn Koppel Luik Oja Raudsepp Kuusk Karu Põder Lepik Vaher Laine Kallas Jõgi Pihlak Teder Mets Õunapuu Järvis',
    ),
  },
  lithuanian: {
    first: words(
      'Jonas Tomas Mantas Lukas Andrius Darius Vytautas Kęstutis Rimantas Gintaras Ona Rasa Jolanta Daiva Eglė Rūta Aušra Živilė Birutė Giedrė Ieva Vaida',
    ),
    last: words(
      'Kazlauskas Jankauskas Petrauskas Stankevičius Vasiliauskas Žukauskas Butkus Paulauskas Urbonas Kavaliauskas Kazlauskienė Petrauskienė Jankauskaitė Butkutė Navickas Šimkus',
    ),
  },
  irish: {
    first: words(
      'Aoife Ciarán Niamh Oisín Saoirse Siobhán Pádraig Seán Eoin Cormac Róisín Gráinne Cian Fionn Caoimhe Tadhg Orla Declan Fergus Maeve',
    ),
    last: words(
      "O'Brien O'Sullivan O'Connor Murphy Kelly Byrne Ryan O'Neill McCarthy Gallagher Doherty Kennedy Lynch Murray Quinn Moore McLoughlin Carroll Connolly Daly O'Reilly MacDonald McKenzie MacLeod McGregor O'Shea",
    ),
  },
  ethiopian: {
    first: words(
      'Abebe Bekele Haile Tesfaye Dawit Yonas Kebede Girma Tadesse Solomon Almaz Tigist Hirut Selam Meseret Genet Mulu Kidane Semhar Yohannes Berhane Tekle',
    ),
    last: words(
      'Tesfaye Bekele Kebede Gebremariam Woldemichael Asfaw Mengistu Alemu Demissie Haile Tekle Ghebreab Kidane Yemane Abraha Negash Zerai Habte',
    ),
  },
  hawaiianMaori: {
    first: words(
      'Keanu Leilani Kai Nalani Makoa Kalani Noelani Tane Aroha Hemi Wiremu Mere Ngaire Rangi Hine Tama Anahera Manaia Sefo Tavita Sione Mele',
    ),
    last: words(
      'Kealoha Kahananui Akana Kamaka Mahoe Parata Ngata Walker-Tau Rewi Tamihana Paki Te-Rangi Tuilagi Faleolo Fonoti Leota Tuimana Vakata',
    ),
  },
} as const;

/** Single names, as of artists and pets. */
export const particles = words(
  "de da dos van von der den le la du del della di bin ibn al el ter ten af O'",
);
